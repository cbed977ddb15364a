"""Attend: an auto-graded course on Transformers."""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # as typing's, which takes longer to load than all else here
if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

__version__ = "0.1.0"


def load_ipython_extension(shell: InteractiveShell) -> None:
    """What `%load_ext autograder` calls: %check, %hint and the other magics exist from then on."""
    import_module("autograder.student.notebook.magics").register(
        shell
    )  # by name: nothing else here needs what it loads
