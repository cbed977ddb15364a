"""The capstones, in their order; no exercise of chapter 15 builds `French` and `Meaning`."""

from reference.capstones.digits import Digits
from reference.capstones.french import French
from reference.capstones.markov import Markov
from reference.capstones.meaning import Meaning
from reference.capstones.reverse import Reverse
from reference.capstones.sentiment import Sentiment
from reference.capstones.shakespeare import Shakespeare

CAPSTONES = (Reverse, French, Markov, Sentiment, Meaning, Shakespeare, Digits)
