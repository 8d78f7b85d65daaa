# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""cutaway.survey() on this machine: what the command line does."""
import pathlib
import shutil

import pytest

import cutaway

import databases


@pytest.fixture
def zoo(tmp_path, sample, resnet):
    folder = tmp_path / "zoo"
    folder.mkdir()
    shutil.copy(sample, folder / "sample.onnx")
    shutil.copy(resnet, folder / "resnet.pt2")
    (folder / "notes.txt").write_text("of no interest")
    (folder / "broken.onnx").write_text("what?")
    return folder


def test_the_database_is_that_of_the_command_line(zoo, tmp_path, command_line):
    found = cutaway.survey(zoo, tmp_path / "ours.db", bind={"batch": 4}, inputs={"x": ((1, 3, 224, 224), "float32")}, device="l4")
    answer = command_line("survey", str(zoo), "-o", str(tmp_path / "theirs.db"), "--bind", "batch=4", "--input",
                          "x=1x3x224x224:float32", "--device", "l4")
    assert answer.returncode == 0, answer.stderr
    assert databases.content(tmp_path / "ours.db") == databases.content(tmp_path / "theirs.db")
    assert found == {"models": 3, "looked_at": 3, "known": 0, "states": {"read": 2, "unreadable": 1}, "removed": 0,
                     "others": 1, "left_out": [], "bytes_read": 0, "failed_checks": [], "profiles": {}}


def test_it_goes_on_and_begins_anew(zoo, tmp_path):
    counts = []
    for arguments in ({}, {}, {"again": True}):
        progress = []
        found = cutaway.survey([zoo], tmp_path / "zoo.db", progress=lambda *row, to=progress: to.append(row), **arguments)
        counts.append((found["looked_at"], found["known"]))
        assert progress == [(number + 1, found["looked_at"]) for number in range(found["looked_at"])]
    assert counts == [(3, 0), (0, 3), (3, 0)]
    (zoo / "broken.onnx").unlink()
    missing = tmp_path / "missing.onnx"
    found = cutaway.survey([zoo, missing], tmp_path / "zoo.db")
    assert found["removed"] == 1 and [row[0] for row in found["left_out"]] == [str(missing)]


def test_forms_of_inputs():
    from cutaway_remote.survey import input_text
    assert [input_text(value) for value in (((8, "N"), "float16"), "2x3:int64", 3, [1, 2])] == [
        "8xN:float16", "2x3:int64", "3", "[1, 2]"]
    with pytest.raises(cutaway.Error, match=r"needs its dtype beside the shape: \(\(8, 3\), 'float32'\)"):
        input_text((8, 3))


def test_names_that_are_no_text(zoo, tmp_path):
    odd = pathlib.Path(str(zoo / "name-\udcff.onnx"))
    shutil.copy(zoo / "sample.onnx", odd)
    assert cutaway.survey([odd], tmp_path / "zoo.db")["states"] == {"read": 1}


def test_what_is_wrong_is_a_sentence(zoo, tmp_path):
    for arguments, kind in (({"device": "abacus"}, "usage"), ({"checks": ["taste:good"]}, "usage")):
        with pytest.raises(cutaway.Error) as raised:
            cutaway.survey(zoo, tmp_path / "zoo.db", **arguments)
        assert raised.value.kind == kind
    with pytest.raises(cutaway.Error, match="unable to open"):
        cutaway.survey(zoo, tmp_path / "no/folder/zoo.db")
    with pytest.raises(TypeError):
        cutaway.survey(3, tmp_path / "zoo.db")


def test_checks_need_the_program(zoo, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(cutaway.Error, match=r"cutaway-cli, which is not on PATH \(package cutaway\)"):
        cutaway.survey(zoo, tmp_path / "zoo.db", checks=["convert:21"])
