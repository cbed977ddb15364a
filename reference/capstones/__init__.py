"""The five capstones, in their order."""

from reference.capstones.digits import Digits
from reference.capstones.markov import Markov
from reference.capstones.reverse import Reverse
from reference.capstones.sentiment import Sentiment
from reference.capstones.shakespeare import Shakespeare

CAPSTONES = (Reverse, Markov, Sentiment, Shakespeare, Digits)
