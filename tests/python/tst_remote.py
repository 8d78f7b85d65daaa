# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Models at URLs: what is read of them, and that nothing else is taken for a value."""
import contextlib
import getpass
import json
import os
import pathlib
import struct
import subprocess
import sys

import pytest

import cutaway

fsspec = pytest.importorskip("fsspec")
pytest.importorskip("aiohttp")

import databases
import http_files
import onnx_writer
from cutaway_remote import files, parts

os.environ["PATH"] = os.path.dirname(os.environ["CUTAWAY_CLI"]) + ":" + os.environ["PATH"]  # checks start it
ROOT = pathlib.Path(__file__).parents[2]
LARGE = 475_000_000  # elements of float32: 1.9 GB
INT64 = onnx_writer.INT64


@pytest.fixture
def server(tmp_path):
    with http_files.Server(tmp_path) as started:
        yield started


def shaped(*initializers):
    """A model that is reshaped by a stored shape and multiplied by a stored matrix."""
    graph = onnx_writer.Graph()
    x = graph.input("x", [8, 4])
    shape = graph.initializer("shape", [2], struct.pack("<2q", 4, 8), INT64)
    y = graph.node("Reshape", [x, shape], "reshape")
    for name, *rest in initializers:
        graph.initializer(name, *rest)
        y = graph.node("MatMul", [y, name], f"by_{name}")
    graph.output(y, [4, "?"])
    return graph


# ---- what is read

def surveyed(server, tmp_path, name):
    found = cutaway.survey(server.url(name), tmp_path / "zoo.db")
    assert found["states"] == {"read": 1}, databases.rows(tmp_path / "zoo.db", "SELECT message FROM models")
    read = databases.rows(tmp_path / "zoo.db", "SELECT bytes_read FROM remote JOIN models ON id = model "
                                               f"WHERE path LIKE '%{name}'")
    assert read == [(found["bytes_read"],)]
    assert found["bytes_read"] <= server.bytes_sent
    return server.bytes_sent


def test_of_an_exported_program_of_two_gigabytes_less_than_one_megabyte_is_read(server, tmp_path):
    from make_pt2 import ResNet50
    model = ResNet50()
    model.p.parameter("large.weight", [LARGE])
    model.write(str(tmp_path / "large.pt2"))
    assert (tmp_path / "large.pt2").stat().st_size > 1.9e9
    assert surveyed(server, tmp_path, "large.pt2") < 1_000_000
    assert databases.rows(tmp_path / "zoo.db", "SELECT weight_bytes > 1900000000 FROM models") == [(1,)]


def test_of_an_onnx_file_with_external_data_the_graph_is_read(server, tmp_path):
    graph = shaped(("w", [8, LARGE // 8], None, onnx_writer.FLOAT, "model.onnx.data"))
    graph.write(str(tmp_path / "model.onnx"))
    with open(tmp_path / "model.onnx.data", "wb") as file:
        file.truncate(4 * LARGE)
    assert surveyed(server, tmp_path, "model.onnx") < 1 << 14
    assert databases.rows(tmp_path / "zoo.db", "SELECT weight_bytes FROM models") == [(4 * LARGE + 16,)]
    assert databases.rows(tmp_path / "zoo.db", "SELECT count(*) FROM diagnostics") == [(0,)]


def test_of_a_single_onnx_file_the_weights_are_passed_over(server, tmp_path):
    count = 70
    graph = shaped(("w", [8, 8]), *[(f"w{number}", [8 if number == 0 else 2048, 2048]) for number in range(count)])
    for number in range(16):  # nothing uses them
        graph.initializer(f"unused{number}", [LARGE // 40])
    graph.write(str(tmp_path / "single.onnx"))
    assert (tmp_path / "single.onnx").stat().st_size > 1.9e9
    assert surveyed(server, tmp_path, "single.onnx") < 200_000


# ---- that it is the same

def test_reports_are_those_of_the_file(sample, resnet):
    for path in (sample, resnet):
        url = f"memory://reports/{pathlib.Path(path).name}"
        fsspec.filesystem("memory").pipe_file(url.removeprefix("memory:/"), pathlib.Path(path).read_bytes())
        there = json.dumps(cutaway.open(url).inspect()).replace(url, path)
        assert json.loads(there) == cutaway.open(path).inspect()


def test_the_database_is_that_of_the_files(server, tmp_path, sample):
    shaped(("w", [8, 1 << 16])).write(str(tmp_path / "a.onnx"))
    (tmp_path / "b.onnx").write_bytes(pathlib.Path(sample).read_bytes())
    (tmp_path / "broken.onnx").write_bytes(b"\x08\x08\x3a\xff\xff\xff\xff\x7f")
    names = ["a.onnx", "b.onnx", "broken.onnx"]
    cutaway.survey([server.url(name) for name in names], tmp_path / "there.db", bind={"batch": 4}, device="l4")
    cutaway.survey([tmp_path / name for name in names], tmp_path / "here.db", bind={"batch": 4}, device="l4")
    without = ("path", "modified", "remote")
    assert databases.content(tmp_path / "there.db", without) == databases.content(tmp_path / "here.db", without)


def test_what_has_not_changed_is_not_read_again(server, tmp_path):
    shaped().write(str(tmp_path / "a.onnx"))
    assert cutaway.survey(server.url("a.onnx"), tmp_path / "zoo.db")["looked_at"] == 1
    sent = server.bytes_sent
    again = cutaway.survey(server.url("a.onnx"), tmp_path / "zoo.db")
    assert (again["looked_at"], again["known"], again["removed"]) == (0, 1, 0) and server.bytes_sent == sent
    os.utime(tmp_path / "a.onnx", (1, 1))
    fsspec.filesystem("http").clear_instance_cache()
    assert cutaway.survey(server.url("a.onnx"), tmp_path / "zoo.db")["looked_at"] == 1


def test_checks_get_the_whole_file(server, tmp_path):
    shaped(("w", [8, 1 << 15])).write(str(tmp_path / "a.onnx"))
    found = cutaway.survey(server.url("a.onnx"), tmp_path / "zoo.db", checks=["passes:dead-code"])
    assert found["failed_checks"] == []
    assert server.bytes_sent >= (tmp_path / "a.onnx").stat().st_size


# ---- what is not here is no value

def test_weights_that_were_not_fetched_say_so(server, tmp_path):
    values = struct.pack("<4f", 1, 2, 3, 4)
    graph = shaped(("large", [8, 1 << 14], b"\1" * (8 << 16)), ("small", [1 << 14, 4], b"\1" * (1 << 18)))
    graph.initializer("tiny", [4], values)
    graph.write(str(tmp_path / "a.onnx"))
    model = cutaway.open(server.url("a.onnx"))
    assert model.path == server.url("a.onnx")
    assert model.weight("tiny").tobytes() == values
    with pytest.raises(cutaway.Error, match="it was not fetched from http://"):
        model.weight("large").tobytes()
    assert model.analyse().graph.outputs[0].shape == (4, 4)
    whole = cutaway.open(server.url("a.onnx"), weights=True)
    assert whole.weight("large").tobytes() == b"\1" * (8 << 16)


def test_lists_of_numbers_are_fetched_whole(tmp_path):
    numbers = onnx_writer.packed(7, b"\5" * 100_000)  # int64_data of a tensor that is one long list
    tensor = onnx_writer.packed(5, onnx_writer.integer(1, 100_000), onnx_writer.integer(2, INT64),
                                onnx_writer.packed(8, "list"), numbers)
    graph = shaped()
    graph.initializers.append(tensor)
    graph.write(str(tmp_path / "a.onnx"))
    fsspec.filesystem("memory").pipe_file("/lists/a.onnx", (tmp_path / "a.onnx").read_bytes())
    model = cutaway.open("memory://lists/a.onnx")
    assert model.weight("list").tobytes() == struct.pack("<q", 5) * 100_000


def test_small_tensors_of_files_beside_the_model_are_fetched(server, tmp_path):
    graph = onnx_writer.Graph()
    x = graph.input("x", [8, 4])
    external = [onnx_writer.packed(13, onnx_writer.packed(1, key), onnx_writer.packed(2, value))
                for key, value in (("location", "weights/a.data"), ("offset", str(1 << 20)), ("length", "16"))]
    graph.initializers.append(onnx_writer.packed(
        5, onnx_writer.integer(1, 2), onnx_writer.integer(2, INT64), onnx_writer.packed(8, "shape"), *external,
        onnx_writer.integer(14, 1)))
    graph.output(graph.node("Reshape", [x, "shape"], "reshape"), ["?", "?"])
    graph.write(str(tmp_path / "a.onnx"))
    (tmp_path / "weights").mkdir()
    (tmp_path / "weights/a.data").write_bytes(bytes(1 << 20) + struct.pack("<2q", 2, 16) + bytes(1 << 20))
    assert cutaway.open(server.url("a.onnx")).analyse().graph.outputs[0].shape == (2, 16)
    assert server.bytes_sent < 1 << 16


def test_no_file_leaves_its_folder():
    for location in ("../secret", "/etc/passwd", "a/../../b", "c:\\x", "..\\x", "", "a//b", "a\0b"):
        assert not files.is_inside(location)
    assert files.is_inside("weights/model.data")


# ---- ranges

class Text:
    """A source of letters that remembers what was asked for."""
    size = 26 << 10

    def __init__(self):
        self.asked = []

    def read_all(self, ranges):
        for begin, end in ranges:
            self.asked.append((begin, end))
            yield (begin, end), bytes(ord("a") + (at >> 10) for at in range(begin, end))


def test_a_copy_fetches_what_it_has_not(tmp_path):
    copy = parts.Copy(Text(), str(tmp_path / "copy"))
    assert copy.read(1 << 10, (1 << 10) + 2) == b"bb"
    copy.need_all([(20 << 10, 21 << 10), (1 << 10, 2 << 10), (21 << 10, 22 << 10)])
    assert copy.source.asked == [(1024, 1026), (1026, 2048), (20480, 22528)]
    assert copy.ranges == [(1024, 2048), (20480, 22528)]
    assert copy.read(25 << 10, 1 << 20) == b"z" * 1024
    assert copy.missing(0, 1 << 20)[0] == (0, 1024)
    copy.need(0, 1 << 20)
    assert copy.ranges == [(0, copy.size)]
    copy.close()
    assert (tmp_path / "copy").read_bytes() == b"".join(bytes([letter]) * 1024 for letter in b"abcdefghijklmnopqrstuvwxyz")


# ---- other protocols

@contextlib.contextmanager
def sftp_server(folder):
    """An sshd of the test's own; gives the start of its URLs."""
    pytest.importorskip("paramiko", reason="fsspec reads sftp:// by paramiko (python3-paramiko), which is not here")
    place = folder / "sshd"
    place.mkdir()
    commands = f". '{ROOT}/tests/app/cli/ssh_target.sh'; echo $port; read -r"
    with subprocess.Popen(["bash", "-o", "pipefail", "-c", commands], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          text=True, cwd=place) as server:
        port = server.stdout.readline().strip()
        if not port.isdecimal():
            server.communicate("\n")
            pytest.skip(port)
        try:
            yield f"sftp://{getpass.getuser()}@127.0.0.1:{port}", str(place / "user_key")
        finally:
            fsspec.get_filesystem_class("sftp").clear_instance_cache()
            server.communicate("\n")


def test_models_are_read_by_sftp(tmp_path, monkeypatch):
    zoo = tmp_path / "zoo"
    zoo.mkdir()
    shaped(("w", [8, 1 << 20])).write(str(zoo / "a.onnx"))
    shaped().write(str(zoo / "b.onnx"))
    with sftp_server(tmp_path) as (start, key):
        monkeypatch.setenv("FSSPEC_SFTP_KEY_FILENAME", key)
        monkeypatch.setitem(fsspec.config.conf, "sftp", {"key_filename": key})
        found = cutaway.survey(f"{start}{zoo}/", tmp_path / "there.db")
        assert found["states"] == {"read": 2}, found
        size = (zoo / "a.onnx").stat().st_size
        assert size > 32 << 20 and 0 < found["bytes_read"] < 50_000
        assert cutaway.survey(f"{start}{zoo}/", tmp_path / "there.db")["known"] == 2
    cutaway.survey(zoo, tmp_path / "here.db")
    without = ("path", "modified", "remote")
    assert databases.content(tmp_path / "there.db", without) == databases.content(tmp_path / "here.db", without)


class Rooted:
    """A file system whose paths have lost more than the protocol."""

    def unstrip_protocol(self, path):
        return "kind://" + path


@pytest.mark.parametrize("path, named, named_path, url", [
    ("/zoo/a.onnx", "sftp://me@host:22/zoo/", "/zoo", "sftp://me@host:22/zoo/a.onnx"),
    ("/zoo/a.onnx", "sftp://me@host/zoo/*.onnx", "/zoo/*.onnx", "sftp://me@host/zoo/a.onnx"),
    ("bucket/zoo/a.onnx", "s3://bucket/zoo/", "bucket/zoo", "s3://bucket/zoo/a.onnx"),
    ("http://host/zoo/a.onnx", "http://host/zoo/", "http://host/zoo/", "http://host/zoo/a.onnx"),
    ("x/a.onnx", "other://y/", "x", "kind://x/a.onnx")])
def test_files_of_a_folder_have_the_host_of_the_folder(path, named, named_path, url):
    assert files.url_of(Rooted(), path, named, named_path) == url


@pytest.mark.parametrize("protocol, library", [("s3", "s3fs"), ("gs", "gcsfs")])
def test_a_protocol_whose_library_is_missing_is_a_sentence(tmp_path, protocol, library, monkeypatch):
    monkeypatch.setitem(sys.modules, library, None)
    url = f"{protocol}://host/a.onnx"
    with pytest.raises(cutaway.Error, match=f"^{url}: .*{library}") as raised:
        cutaway.survey(url, tmp_path / "zoo.db")
    assert raised.value.kind == "backend" and "\n" not in str(raised.value)


# ---- what is wrong

def test_what_is_wrong_is_a_sentence(server, tmp_path, monkeypatch):
    with pytest.raises(cutaway.Error, match="none.onnx: there is no such file"):
        cutaway.open(server.url("none.onnx"))
    with pytest.raises(cutaway.Error, match="^gopher://host/a.onnx: "):
        cutaway.open("gopher://host/a.onnx")
    found = cutaway.survey(server.url("none.onnx"), tmp_path / "zoo.db")
    assert found["left_out"] == [(server.url("none.onnx"), "there is no such file")]
    monkeypatch.setitem(sys.modules, "fsspec", None)
    with pytest.raises(cutaway.Error, match=r"needs the Python package 'fsspec' \(in Debian: python3-fsspec\)") as raised:
        cutaway.open(server.url("none.onnx"))
    assert raised.value.kind == "backend"


def test_a_server_without_ranges_is_a_sentence(tmp_path):
    shaped(("w", [8, 1 << 16])).write(str(tmp_path / "a.onnx"))
    shaped().write(str(tmp_path / "small.onnx"))
    with http_files.Server(tmp_path, has_ranges=False) as server:
        assert len(cutaway.open(server.url("small.onnx")).graph) == 1
        with pytest.raises(cutaway.Error, match="the server gives it only whole"):
            cutaway.open(server.url("a.onnx"))


def test_a_failure_is_tried_again_by_the_next_survey(server, tmp_path):
    (tmp_path / "a.onnx").write_bytes(b"\x08\x08\x3a\xff\xff\xff\xff\x7f")
    os.utime(tmp_path / "a.onnx", (9, 9))
    assert cutaway.survey(server.url("a.onnx"), tmp_path / "zoo.db")["states"] == {"unreadable": 1}
    assert cutaway.survey(server.url("a.onnx"), tmp_path / "zoo.db")["looked_at"] == 1


def test_folders_and_patterns_of_a_file_system(tmp_path):
    system = fsspec.filesystem("memory")
    shaped().write(str(tmp_path / "a.onnx"))
    content = (tmp_path / "a.onnx").read_bytes()
    for name in ("zoo/a.onnx", "zoo/deep/b.onnx", "zoo/notes.txt"):
        system.pipe_file(f"/{tmp_path.name}/{name}", content)
    folder = f"memory://{tmp_path.name}/zoo/"
    assert [row[0].rpartition("/")[2] for row in files.found(folder)] == ["a.onnx", "b.onnx"]
    assert [row[0].rpartition("/")[2] for row in files.found(folder + "*.onnx")] == ["a.onnx"]
    assert all(row[1] == len(content) and row[2] > 0 for row in files.found(folder))
