# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Errors, other threads, and Ctrl+C."""
import _thread
import signal
import subprocess
import sys
import threading
import time

import pytest

import cutaway


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """A graph whose passes take seconds."""
    import make_onnx
    path = tmp_path_factory.mktemp("models") / "large.onnx"
    make_onnx.synthetic(30000, str(path))
    return str(path)


def test_a_file_that_cannot_be_read(tmp_path, command_line):
    (tmp_path / "text.onnx").write_text("<html>")
    (tmp_path / "folder").mkdir()
    for name in ("missing.onnx", "text.onnx", "folder"):
        path = str(tmp_path / name)
        with pytest.raises(cutaway.Error) as raised:
            cutaway.open(path)
        assert raised.value.kind == "unreadable"
        assert "cutaway: " + str(raised.value) + "\n" == command_line("inspect", path).stderr


def test_wrong_arguments_are_errors(sample):
    with pytest.raises(cutaway.Error, match="an int is no model that can be opened"):
        cutaway.open(3)
    with pytest.raises(TypeError):
        cutaway.open(sample).analyse({"batch": 1})  # only by name
    with pytest.raises(TypeError):
        cutaway.Node()


def test_other_threads_run_meanwhile(large):
    model, counts, ended = cutaway.open(large), [0], threading.Event()

    def count():
        while not ended.is_set():
            counts[0] += 1
            time.sleep(0.001)
    thread = threading.Thread(target=count)
    thread.start()
    began, before = time.monotonic(), counts[0]
    model.analyse()
    seconds, during = time.monotonic() - began, counts[0] - before
    ended.set()
    thread.join()
    assert during > seconds * 20


def test_one_model_in_several_threads(sample):
    model, answers = cutaway.open(sample), []

    def ask(n):
        answers.append((n, model.analyse(bind={"batch": n}).totals["flops"], len(model.passes().steps)))
    threads = [threading.Thread(target=ask, args=(n,)) for n in range(1, 9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(flops for _, flops, _ in answers) == [4156032 * n for n in range(1, 9)]


def test_ctrl_c_stops_a_long_call(large):
    model = cutaway.open(large)
    began = time.monotonic()
    model.passes("optimize")
    whole = time.monotonic() - began
    interrupted = []

    def interrupt():
        interrupted.append(time.monotonic())
        _thread.interrupt_main()
    threading.Timer(whole / 10, interrupt).start()
    with pytest.raises(KeyboardInterrupt):
        model.passes("optimize")
    assert time.monotonic() - interrupted[0] < whole / 2
    assert model.analyse().totals["nodes"] == 30000  # it can still be asked


def test_ctrl_c_ends_a_program_as_python_does(large):
    program = f"import cutaway; m = cutaway.open({large!r}); print('ready', flush=True)\nwhile True: m.analyse()"
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGINT)
        assert "KeyboardInterrupt" in process.communicate(timeout=60)[1]
