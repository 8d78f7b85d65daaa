# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The module itself: what importing it costs and brings, its stubs, its manual."""
import ast
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys

import cutaway

ROOT = pathlib.Path(__file__).parents[2]


def python(program):
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout


def test_importing_it_is_quick_and_brings_nothing_else():
    measure = "import time; t = time.perf_counter(); import cutaway; print(time.perf_counter() - t)"
    assert statistics.median(float(python(measure)) for _ in range(5)) < 0.3  # on a busy machine; 0.1 is the aim
    brought = python("import sys; before = set(sys.modules); import cutaway; print(*sorted(set(sys.modules) - before))")
    assert brought.split() == ["cutaway"]


def test_opening_a_file_imports_neither_torch_nor_numpy(sample):
    brought = python(f"import sys, cutaway; m = cutaway.open({sample!r}); m.inspect(); m.weights; m.draw(); print(*sys.modules)")
    assert not {"torch", "numpy", "onnx", "subprocess"} & set(brought.split())


def test_another_python_is_told_which_one_the_module_is_for(tmp_path):
    shutil.copy(pathlib.Path(cutaway.__file__).parent / "cutaway.py", tmp_path)  # the module itself it does not see
    run = subprocess.run([sys.executable, "-B", "-c", "import cutaway"], cwd=tmp_path, env={**os.environ, "PYTHONPATH": ""},
                         capture_output=True, text=True, check=False)
    version = "Python {}.{}".format(*sys.version_info)
    assert f"\nImportError: the module cutaway was built for {version} and this is {version}: start python3" in run.stderr


def test_it_has_the_version_of_the_command_line(command_line):
    assert command_line("--version").stdout.startswith(f"cutaway-cli {cutaway.__version__}\n")


def stub():
    return (pathlib.Path(cutaway.__file__).parent / "cutaway.pyi").read_text()


def names_of(tree):
    for node in tree.body:
        if isinstance(node, ast.AnnAssign):
            yield node.target.id
        elif isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            yield node.name


def test_the_stubs_have_everything():
    tree = ast.parse(stub())
    public = {name for name in dir(cutaway) if not name.startswith("_")}
    assert public <= set(names_of(tree))
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and node.name != "Error":
            members = {name for name in vars(getattr(cutaway, node.name)) if not name.startswith("_")}
            assert members <= set(names_of(node)), node.name


def test_the_stubs_say_types():
    assert "def analyse(self, *, bind: dict[str, int] | None = None" in stub()
    assert "def nodes(self) -> list[Node]" in stub()
    assert "def open(model: Any = None, /, *args: Any, weights: bool = False, dynamic_shapes: Any = None, **kwargs: Any) -> Model" in stub()
    assert "    kind: str\n" in stub() and "    reproducer: str | None\n" in stub()


def test_passes_are_recorded_by_the_package_beside_it(tmp_path, sample):
    import cutaway_record
    with cutaway.record(tmp_path / "steps.cutaway") as recorder:
        recorder.add(sample)
    assert isinstance(recorder, cutaway_record.Recorder)
    assert (tmp_path / "steps.cutaway.files/00-small_vision.onnx").exists()
    assert "def record(path: str | os.PathLike[str]) -> _Recorder" in stub()


def test_public_things_are_described():
    for name in dir(cutaway):
        if not name.startswith("_"):
            assert getattr(cutaway, name).__doc__, name


def test_the_example_of_the_manual(tmp_path, sample):
    """Runs the blocks of docs/python.md in their order; what stands behind '# ->' is what the line prints."""
    blocks = re.findall(r"^```python\n(.*?)^```$", (ROOT / "docs/python.md").read_text(), re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 5
    shutil.copy(sample, tmp_path / "small_vision.onnx")
    os.environ.setdefault("XDG_CONFIG_HOME", str(tmp_path))
    program = "".join(blocks)
    expected = [line.split("# -> ")[1] for line in program.splitlines() if "# -> " in line]
    printed = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert printed.returncode == 0, printed.stderr
    assert printed.stdout.splitlines() == expected
