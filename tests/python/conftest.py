# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests share: model files that need neither torch nor onnx to be made, and the command line."""
import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests/bench"))


def pytest_configure(config):
    config.addinivalue_line("markers", "in_process: only so where the module itself is loaded")


@pytest.fixture(scope="session")
def sample():
    return str(ROOT / "resources/samples/small_vision.onnx")


@pytest.fixture(scope="session")
def resnet(tmp_path_factory):
    """An exported program of 175 nodes whose weights are zeros."""
    path = tmp_path_factory.mktemp("models") / "resnet50.pt2"
    subprocess.run([sys.executable, "-B", ROOT / "tests/bench/make_pt2.py", "resnet50", path], check=True)
    return str(path)


@pytest.fixture(scope="session")
def command_line():
    """Runs cutaway-cli with these arguments; the finished process."""
    def run(*arguments, **options):
        return subprocess.run([os.environ["CUTAWAY_CLI"], *arguments], capture_output=True, text=True, check=False, **options)
    return run


@pytest.fixture
def make_onnx(tmp_path):
    """Writes an ONNX file of one Identity and these initializers: (name, dims, bytes, ONNX's number of the dtype)."""
    import onnx_writer

    def make(*initializers, name="tiny.onnx"):
        graph = onnx_writer.Graph()
        graph.output(graph.node("Identity", [graph.input("x", [2, 3])], "same", [2, 3]), [2, 3])
        for initializer in initializers:
            graph.initializer(*initializer)
        path = tmp_path / name
        graph.write(str(path))
        return str(path)
    return make
