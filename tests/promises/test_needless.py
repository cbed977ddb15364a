"""What no exercise needs is told of the files that use it, and of no honest file."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.commands.demo import make
from autograder.intake.unusual import is_on_needless, note_on, unusual
from tests.promises.world import COURSE

MEMORY, AROUND, HIDDEN = "memory past Python", "the code around it", "code that cannot be read"
TORCH, MODULES, INSIDE = "below torch's functions", "how modules are found", "the inside of Python"
USED = {
    "import ctypes": {"ctypes": MEMORY},
    "import ctypes.util as c": {"ctypes": MEMORY},
    "import ctypes as m\nimport math as m": {"ctypes": MEMORY},
    "from cffi import FFI": {"cffi": MEMORY},
    "import gc\nfor each in gc.get_objects(): print(each)": {"gc.get_objects": MEMORY},
    "from gc import get_objects": {"gc.get_objects": MEMORY},
    "import numpy as np\nnp.ctypeslib.ndpointer": {"numpy.ctypeslib": MEMORY},
    "import torch\ntorch.ctypes.string_at": {"ctypes": MEMORY},
    "import sys\nsys.settrace(None)": {"sys.settrace": AROUND},
    "import sys\ns = sys\ns.settrace(None)": {"sys.settrace": AROUND},
    "import sys\ns = sys\nt = s\nt.settrace(None)": {"sys.settrace": AROUND},
    "import sys\n(s := sys).settrace\ns.setprofile(None)": {"sys.setprofile": AROUND},
    "from os import sys\nsys.settrace(None)": {"sys.settrace": AROUND},
    "import torch\ntorch.sys.settrace(None)": {"sys.settrace": AROUND},
    "import sys\ngetattr(sys, 'settrace')(None)": {"sys.settrace": AROUND},
    "import traceback\ntraceback.walk_stack(None)": {"traceback.walk_stack": AROUND},
    "steps.gi_frame, steps.cr_frame": {"gi_frame": AROUND, "cr_frame": AROUND},
    "from sys import setprofile as watch": {"sys.setprofile": AROUND},
    "import threading as t\nt.setprofile(None)": {"threading.setprofile": AROUND},
    "import inspect\ninspect.currentframe().f_back": {"f_back": AROUND, "inspect.currentframe": AROUND},
    "import torch\nkept = torch.library.get_kernel('aten::exp', 'CPU')": {"get_kernel": TORCH, "torch.library": TORCH},
    "import torch as t\nt._C._dispatch_library": {"torch._C": TORCH},
    "().__class__.__base__.__subclasses__()": {"__subclasses__": INSIDE},
    "f.__code__ = g.__code__": {"__code__": INSIDE},
    "getattr(f, '__code__')": {"__code__": INSIDE},
    "setattr(f, '__code__', kept)": {"__code__": INSIDE},
    "match f:\n    case object(__code__=kept): pass": {"__code__": INSIDE},
    "f.__globals__.get('x')": {"__globals__": INSIDE},
    "__builtins__['print']": {"__builtins__": INSIDE},
    "import types\ntypes.FunctionType(code, {})": {"types.FunctionType": INSIDE},
    "from types import FunctionType as Made\nMade(code, {})": {"types.FunctionType": INSIDE},
    "import torch\ngetattr(torch, '_C')": {"torch._C": TORCH},
    "import sys\nsys.modules['torch']": {"sys.modules": MODULES},
    "import sys\nsys.modules.get('torch')": {"sys.modules": MODULES},
    "import sys\nsys.modules.get('gc')": {"sys.modules": MODULES},
    "import importlib, torch\nimportlib.reload(torch.nn.functional)": {"importlib.reload": MODULES},
    "import importlib\nfrom torch.nn import functional as F\nimportlib.reload(F)": {"importlib.reload": MODULES},
    "from importlib.util import module_from_spec": {"importlib.util.module_from_spec": MODULES},
    "import runpy": {"runpy": MODULES},
    "import pydoc\npydoc.locate('gc')": {"pydoc.locate": MODULES},
    "import pkgutil\npkgutil.resolve_name('gc')": {"pkgutil.resolve_name": MODULES},
    "import importlib\nimportlib.import_module('x')": {"importlib.import_module": MODULES},
    "exec('x = 1')": {"exec": HIDDEN},
    "e = exec\ne('x = 1')": {"exec": HIDDEN},
    "list(map(exec, texts))": {"exec": HIDDEN},
    "from builtins import exec": {"exec": HIDDEN},
    "from builtins import exec as run": {"exec": HIDDEN},
    "import builtins\nbuiltins.exec('x = 1')": {"exec": HIDDEN},
    "class Own:\n    def exec(self): pass\nexec('x = 1')": {"exec": HIDDEN},
    "import code\ncode.InteractiveInterpreter()": {"code.InteractiveInterpreter": HIDDEN},
    "import timeit\ntimeit.timeit('x = 1')": {"timeit.timeit": HIDDEN},
    "import pickle\npickle.load(file)": {"pickle.load": HIDDEN},
    "from base64 import b64decode": {"base64": HIDDEN},
    "import pickle\npickle.loads(b'')": {"pickle.loads": HIDDEN},
    "getattr(torch, 'soft' + 'max')": {"a name put together": HIDDEN},
    "getattr(torch, ''.join(['soft', 'max']))": {"a name put together": HIDDEN},
    "getattr(torch, 'xamtfos'[::-1])": {"a name put together": HIDDEN},
    "import autograder.calls": {"autograder": "the program that grades it"},
    "name = 'autograder.calls'": {"autograder": "the program that grades it"},
}
HONEST = (
    "import gc\ngc.collect()",
    "import sys\nif 'google.colab' in sys.modules: pass",
    "import sys\ncolab = sys.modules.get('google.colab') is not None",
    "from importlib.util import find_spec\nfind_spec('einops')",
    "import importlib.util\nimportlib.util.find_spec('einops')",
    "gc = torch.ones(2)\ngc.sum()",
    "scene.get_objects()",
    "import torch, re\ntorch.compile(f)\nre.compile('a')\nmodel.eval()",
    "from re import compile\ncompile('a')",
    "def train(model, eval=False):\n    return model if eval else None",
    "class Frame:\n    def __init__(self):\n        self.f_locals = {}\n    def show(self): print(self.f_locals)",
    "raise ValueError('the autograder passes dim as a keyword')",
    "import timeit\ntimeit.timeit(lambda: f(1))",
    "import types\nisinstance(f, types.FunctionType)",
    "import code_of_mine as code\ncode.run()",
    "getattr(self, f'head_{i}')",
    "getattr(self, 'w%d' % 1)",
    "getattr(self, 'w_' + str(1))",
    "getattr(self, 'w_{}'.format(1))",
    "getattr(self, 'weight')",
    "getattr(nn, 'relu'.upper())",
    "getattr(x, name)",
    "def compile(x):\n    return x\ncompile(1)",
    "# ctypes, exec(...)\n'''autograder'''\ndef f():\n    '''Not autograder, not ctypes.'''",
    "import importlib\nimportlib.reload(mine)",
    "no Python (",
)
FOLDERS = ("solutions", "exercises", "tests/promises/right", "tests/promises/idioms", "reference/misconceptions")


@pytest.mark.parametrize("text", USED)
def test_what_is_used_is_told_with_what_it_is(text: str) -> None:
    assert unusual(text) == USED[text]


@pytest.mark.parametrize("text", HONEST)
def test_what_only_looks_like_it_is_not_told(text: str) -> None:
    assert note_on("a.py", [text]) == ""


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_honest_file_of_the_course_is_told(folder: str) -> None:
    files = sorted(Path(COURSE.root, folder).rglob("*.py"))
    assert files
    assert [note for path in files if (note := note_on(path.name, [path.read_text(encoding="utf-8")]))] == []


def test_names_of_any_length_are_read() -> None:
    joined = " + ".join(["'a'"] * 500)
    assert unusual(f"getattr(x, {joined})") == {"a name put together": HIDDEN}
    assert unusual("import sys\nsys" + ".a" * 500 + ".settrace") == {}
    assert unusual("import sys\ns = sys\n" + "s = s.a\n" * 500 + "s.settrace") == {}


def test_one_note_tells_all_that_a_file_and_modules_beside_it_use() -> None:
    note = note_on("ch03_attention.py", ["import ctypes", "import mmap"])
    assert is_on_needless(note)
    assert note == (
        "ch03_attention.py uses what no exercise needs, which costs no points: ctypes (memory past Python) and mmap "
        "(memory past Python)"
    )


def test_of_the_sample_class_only_two_hostile_submissions_are_told() -> None:
    texts = {
        each.name: [data.decode(errors="replace") for path, data in each.contents.items() if path.endswith(".py")]
        for each in make(COURSE)
    }
    assert {name for name in texts if note_on(name, texts[name])} == {"crashes", "reads-the-answers"}
