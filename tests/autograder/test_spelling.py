"""A name that is nearly spelt right is told together with the one that is there."""

from __future__ import annotations

import sys

import pytest

from autograder.calls.local import LocalTarget
from autograder.calls.records import Call, Raised
from autograder.calls.target import Target
from autograder.core.submission import one_chapter
from tests.autograder.conftest import CHAPTER, TOY

pytestmark = pytest.mark.usefixtures("warm")

HEAD = "import math\nimport torch\n\nlimit = 3\n\n\ndef double(x):\n    scores = [1]\n    "
SLIPS = {
    "a local": ("return scorse", "name 'scorse' is not defined (did you mean scores?)"),
    "a local, from a comprehension": ("return [scorse for _ in [1]]", "(did you mean scores?)"),
    "a name of the file": ("return limti", "(did you mean limit?)"),
    "a builtin": ("return sotred([1])", "(did you mean sorted?)"),
    "a module's attribute": ("return math.sqtr(2)", "module 'math' has no attribute 'sqtr' (did you mean sqrt?)"),
    "a tensor's attribute": ("return torch.ones(1).masked_fil(1)", "(did you mean masked_fill?)"),
    "nothing near": ("return zebra", "name 'zebra' is not defined"),
    "no value yet": ("scorse = scorse + 1", "cannot access local variable 'scorse' where it is not associated"),
    "a __dir__ that fails": ("return Odd().sorce", "'Odd' object has no attribute 'sorce'"),
}
ODD = "\n\nclass Odd:\n    def __dir__(self):\n        raise ValueError\n"


def raised(target: Target) -> str:
    result = target.observe(CHAPTER, Call("double", (1,))).result
    assert isinstance(result, Raised)
    return result.message


@pytest.mark.parametrize("slip", SLIPS)
def test_it_says_which_name_is_there(slip: str) -> None:
    line, says = SLIPS[slip]
    said = raised(LocalTarget(one_chapter("ada", CHAPTER, HEAD + line + ODD)))
    assert says in said
    assert ("did you mean" in said) == ("did you mean" in says)


@pytest.mark.skipif(sys.platform == "win32", reason="graders are not for every system")
def test_behind_the_wall_it_says_so_too() -> None:
    from autograder.sandbox.handles import Template
    from autograder.sandbox.target import SandboxTarget

    with (
        Template(TOY) as template,
        SandboxTarget(template, one_chapter("ada", CHAPTER, HEAD + "return scorse")) as target,
    ):
        assert raised(target) == "name 'scorse' is not defined (did you mean scores?)"
