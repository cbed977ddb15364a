"""The capstones, in their order; `French` is the one that no exercise of chapter 15 builds."""

from reference.capstones.digits import Digits
from reference.capstones.french import French
from reference.capstones.markov import Markov
from reference.capstones.reverse import Reverse
from reference.capstones.sentiment import Sentiment
from reference.capstones.shakespeare import Shakespeare

CAPSTONES = (Reverse, French, Markov, Sentiment, Shakespeare, Digits)
