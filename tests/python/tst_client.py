# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The package that calls the module in a process of its own: what is not so where the module is loaded itself."""
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import time

import pytest

import cutaway
from cutaway._client import calls, programs


def python(program, **environment):
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False,
                          env={**os.environ, **environment})


def count_of_messages(monkeypatch, work):
    """How many times the process is asked."""
    asked, send = [], calls.Process._send
    monkeypatch.setattr(calls.Process, "_send", lambda self, *message: (asked.append(1), send(self, *message)))
    work()
    return len(asked)


def test_importing_it_starts_nothing():
    assert python("import cutaway; print(cutaway._calls.processes._current)").stdout == "None\n"


def test_every_name_of_the_stubs_is_there_with_its_words():
    for name in ("open", "diff", "survey", "show", "compare", "profile", "record"):
        assert getattr(cutaway, name).__doc__
    assert cutaway.Model.analyse.__doc__ and cutaway.Weight.numpy.__doc__


def test_what_the_packages_beside_it_call_is_there():
    source = pathlib.Path(pytest.importorskip("cutaway_remote").__file__).parents[1]
    called = {word for path in source.glob("cutaway_*/*.py") for word in calls.PRIVATE if f"cutaway.{word}" in path.read_text()}
    assert called == calls.PRIVATE
    with pytest.raises(AttributeError, match="no attribute '_another'"):
        cutaway._another


def test_properties_of_many_objects_come_together(resnet, monkeypatch):
    nodes = cutaway.open(resnet).graph.nodes
    assert len(nodes) == 175
    assert count_of_messages(monkeypatch, lambda: [node.op for node in nodes]) <= 8
    assert count_of_messages(monkeypatch, lambda: [node.op for node in nodes]) == 0


def test_of_one_object_only_its_own_property_is_asked(resnet, monkeypatch):
    nodes = cutaway.open(resnet).graph.nodes
    nodes[0].op
    assert [node.op for node in nodes if "op" in node._known] == [nodes[0].op]


def test_lists_of_a_property_are_the_callers_own(sample):
    graph = cutaway.open(sample).graph
    graph.nodes.clear()
    assert len(graph.nodes) == len(graph) > 0


def test_objects_that_nobody_holds_are_released(sample):
    cutaway.open(sample)
    process = calls.processes.current()
    for _ in range(3):
        cutaway.open(sample).graph.nodes
    assert len(process.released) > 80
    cutaway.devices()
    assert process.released == []


def test_a_process_that_was_killed_is_a_sentence_and_the_next_call_starts_another(sample):
    model = cutaway.open(sample)
    first = model.graph.nodes[0]
    os.kill(calls.processes.current()._program.pid, signal.SIGKILL)
    with pytest.raises(cutaway.Error, match="ended by signal 9, SIGKILL") as raised:
        model.analyse()
    assert raised.value.kind == "backend"
    with pytest.raises(cutaway.Error, match="open the model again"):
        model.analyse()
    assert cutaway.open(sample).analyse().totals["flops"] == "4156032*batch"
    with pytest.raises(cutaway.Error, match="open the model again"):
        cutaway.diff(model, sample)
    assert cutaway.open(sample).graph.nodes[0] != first


def test_a_child_of_fork_has_a_process_of_its_own(sample):
    program = f"""import cutaway, os, sys
model = cutaway.open({sample!r})
if os.fork() == 0:
    try:
        model.analyse()
    except cutaway.Error as fault:
        print("fork" in str(fault), len(cutaway.open({sample!r}).graph), flush=True)
    os._exit(0)
os.wait()
print(len(model.graph))"""
    assert python(program).stdout == "True 82\n82\n"


def test_programs_that_are_not_there_are_a_sentence(tmp_path):
    where = f"import cutaway; cutaway._calls.programs.MODULE[0] = '{tmp_path}/none'; cutaway.devices()"
    assert "none: No such file or directory; install the wheel again" in python(where).stderr.splitlines()[-1]
    script = f"from cutaway._client import programs; programs.FOLDER = '{tmp_path}'; programs.window()"
    assert python(script).stderr == f"cutaway: {tmp_path}/cutaway: No such file or directory; {programs.MEND}\n"


def test_the_process_ends_with_python(sample):
    program = f"import cutaway; cutaway.open({sample!r}); print(cutaway._calls.processes.current()._program.pid)"
    process = int(python(program).stdout)
    for _ in range(50):
        if not os.path.exists(f"/proc/{process}"):
            break
        time.sleep(0.1)
    assert not os.path.exists(f"/proc/{process}")


def test_an_answer_makes_nothing_but_values():
    class Harmful:
        def __reduce__(self):
            return os.getcwd, ()
    with pytest.raises(pickle.UnpicklingError, match="posix.getcwd"):
        calls.Reader(__import__("io").BytesIO(pickle.dumps(Harmful())), None).load()


def test_a_call_is_made_where_python_is_now(sample, tmp_path, monkeypatch):
    monkeypatch.chdir(os.path.dirname(sample))
    model = cutaway.open(os.path.basename(sample))
    monkeypatch.chdir(tmp_path)
    model.save("here.onnx")
    assert (tmp_path / "here.onnx").exists()


def test_a_folder_that_is_gone_costs_no_model(sample, tmp_path, monkeypatch):
    model, gone = cutaway.open(sample), tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    with pytest.raises(FileNotFoundError):
        model.analyse()
    monkeypatch.chdir(tmp_path)
    assert model.analyse().totals["flops"] == "4156032*batch"


def test_a_complex_number_comes_as_one(tmp_path):
    path = tmp_path / "net.txt"
    path.write_text("""class GraphModule(torch.nn.Module):
    def forward(self, x: "c64[2]"):
        mul: "c64[2]" = torch.ops.aten.mul.Tensor(x, 2j)
        return (mul,)
""")
    assert dict(cutaway.open(path).graph.nodes[0].arguments)["other"] == 2j


def test_an_array_for_numpy_is_a_copy_where_one_is_asked_for(make_onnx):
    pytest.importorskip("numpy")
    weight = cutaway.open(make_onnx(("w", [2], bytes(8)))).weight("w")
    assert weight.__array__(copy=True).flags.writeable
    assert weight.__array__("int32").dtype == "int32"
    with pytest.raises(ValueError, match="weight 'w' is float32: as int32 it would be a copy"):
        weight.__array__("int32", copy=False)


def test_arguments_of_other_libraries_are_what_they_stand_for():
    numpy = pytest.importorskip("numpy")
    assert calls.plain({"n": numpy.int64(3), "p": pathlib.PurePath("a/b")}) == {"n": 3, "p": "a/b"}
    assert calls.plain(numpy.zeros((2, 3), "float16")) == calls.Array((2, 3), "float16")
    with pytest.raises(TypeError, match="a set means nothing to Cutaway"):
        calls.plain({1})


def test_what_progress_raises_is_raised(sample, tmp_path):
    def stop(done, total):
        raise ZeroDivisionError(f"{done} of {total}")
    with pytest.raises(ZeroDivisionError, match="1 of 1"):
        cutaway.survey(sample, tmp_path / "zoo.db", progress=stop)


def test_progress_may_call_cutaway(sample, tmp_path):
    sizes = []
    cutaway.survey(sample, tmp_path / "zoo.db", progress=lambda *_: sizes.append(len(cutaway.open(sample).graph)))
    assert sizes == [82]
