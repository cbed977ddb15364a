"""All that leans on the inside of torch and pytest: private names, and what they do beyond the documentation.

Nothing else in the engine uses such names. `tests/promises/test_internals.py` lists each of them with what is relied
on, and tries it with the versions in `TRIED`. After a change of these versions, run that file first.
"""

from typing import Final

TRIED: Final = {"torch": "2.13.0", "pytest": "9.2.0"}
"""The versions that everything here was tried with, as in `constraints.txt`."""
