# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A survey on Dask's workers: schedulers and workers are processes on this machine, reached in the ways that there are."""
import contextlib
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import time

import pytest

import cutaway

distributed = pytest.importorskip("distributed")

import databases
import onnx_writer
from cutaway_remote import cluster

ROOT = pathlib.Path(__file__).parents[2]
TARGETS = ROOT / "tests/app/cli"
os.environ["PATH"] = os.path.dirname(os.environ["CUTAWAY_CLI"]) + ":" + os.environ["PATH"]  # checks start it
DASK = f"{sys.executable} -m dask"


def process(*arguments, **environment):
    return subprocess.Popen([sys.executable, "-B", "-m", "distributed.cli." + arguments[0], *arguments[1:]],
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, **environment})


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Machines:
    """A scheduler that gives a model up with the second worker that it ends, and workers of one thread each."""

    def __init__(self, folder, workers=2):
        port = free_port()
        self.address = f"tcp://127.0.0.1:{port}"
        self._folder = folder
        self.scheduler = process("dask_scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard",
                                 "--no-show", DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES="1")
        self.workers = [self.add() for _ in range(workers)]

    def add(self, *options, **environment):
        return process("dask_worker", self.address, "--nthreads", "1", "--no-dashboard", "--local-directory",
                       str(self._folder), *options, **environment)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for each in [*self.workers, self.scheduler]:
            each.terminate()
        for each in [*self.workers, self.scheduler]:
            try:
                each.wait(10)
            except subprocess.TimeoutExpired:
                each.kill()
                each.wait()


@pytest.fixture(scope="module")
def machines(tmp_path_factory):
    with Machines(tmp_path_factory.mktemp("workers")) as started:
        with distributed.Client(started.address, timeout=30, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=60)
        yield started


@pytest.fixture
def client(machines):
    with distributed.Client(machines.address, timeout=30, set_as_default=False) as connected:
        connected.wait_for_workers(2, timeout=60)
        yield connected


def write_model(path, size=4):
    graph = onnx_writer.Graph()
    x = graph.input("x", ["N", size])
    graph.output(graph.node("MatMul", [x, graph.initializer("w", [size, 3])], "multiply"), ["N", 3])
    graph.write(str(path))


@pytest.fixture
def zoo(tmp_path, sample):
    """Twelve models: one is broken, one has modules, two are alike."""
    folder = tmp_path / "zoo"
    (folder / "deep").mkdir(parents=True)
    for number in range(9):
        write_model(folder / f"{number}.onnx", 4 + number)
    write_model(folder / "deep/like-0.onnx")
    shutil.copy(sample, folder / "sample.onnx")
    (folder / "broken.onnx").write_text("what?")
    return folder


REQUEST = {"bind": {"N": 8, "batch": 2}, "device": "l4", "checks": ["assert:nodes<10"]}


# ---- that it is the same

def test_two_workers_give_the_database_of_one_machine(client, zoo, tmp_path):
    alone = cutaway.survey(zoo, tmp_path / "alone.db", **REQUEST)
    together = cutaway.survey(zoo, tmp_path / "together.db", client=client, **REQUEST)
    assert alone == together
    assert together["states"] == {"read": 11, "unreadable": 1} and len(together["failed_checks"]) == 2
    assert databases.content(tmp_path / "alone.db") == databases.content(tmp_path / "together.db")
    assert cutaway.survey(zoo, tmp_path / "together.db", client=client, **REQUEST)["looked_at"] == 0


def test_the_command_line_surveys_on_a_cluster_as_alone(machines, zoo, tmp_path, command_line):
    alone = command_line("survey", str(zoo), "-o", str(tmp_path / "alone.db"), "--bind", "N=8")
    together = command_line("survey", str(zoo), "-o", str(tmp_path / "together.db"), "--bind", "N=8", "--dask",
                            machines.address)
    assert (together.returncode, together.stdout) == (0, alone.stdout), together.stderr
    assert databases.content(tmp_path / "alone.db") == databases.content(tmp_path / "together.db")


def test_names_come_from_standard_input(machines, zoo, tmp_path, command_line):
    answer = command_line("survey", "-", "-o", str(tmp_path / "zoo.db"), "--dask", machines.address,
                          input=f"{zoo}/1.onnx\n{zoo}/2.onnx\n")
    assert answer.stdout.startswith("2 models: 2 looked at"), answer.stderr


def test_models_at_urls_are_read_by_the_workers(client, zoo, tmp_path):
    pytest.importorskip("aiohttp")
    import http_files
    with http_files.Server(zoo) as server:
        found = cutaway.survey([server.url("0.onnx"), zoo / "1.onnx"], tmp_path / "zoo.db", client=client)
        assert found["states"] == {"read": 2} and 0 < found["bytes_read"] <= server.bytes_sent


def test_crashes_and_limits_of_a_model_are_rows_and_the_workers_go_on(client, zoo, tmp_path, monkeypatch):
    command = [sys.executable, "-c", "import os, time; time.sleep({}); os.kill(os.getpid(), 11)"]
    apart = "('record', __import__('cutaway')._record_apart(arguments[0], arguments[3], {!r}, arguments[4]))"
    for seconds, state, message in ((0, "crashed", "Segmentation fault"), (60, "timed out", "more than 1 seconds")):
        call = apart.format([*command[:2], command[2].format(seconds)])
        monkeypatch.setattr(cluster, "CALL", call)
        found = cutaway.survey(zoo / "0.onnx", tmp_path / "zoo.db", client=client, timeout=1, again=True)
        assert found["states"] == {state: 1}
        assert message in databases.rows(tmp_path / "zoo.db", "SELECT message FROM models")[0][0]
    monkeypatch.undo()
    assert cutaway.survey(zoo, tmp_path / "zoo.db", client=client, memory=1 << 40)["looked_at"] == 11


# ---- machines that are lost

KILL = "__import__('os')._exit(9) if arguments[0].endswith('/3.onnx') else " + cluster.CALL
SLOW = f"(__import__('time').sleep(0.3), {cluster.CALL})[1]"


def test_a_model_that_ends_two_workers_is_marked_and_left(client, zoo, tmp_path, monkeypatch):
    monkeypatch.setattr(cluster, "CALL", KILL)
    monkeypatch.setattr(cluster, "TASKS_PER_THREAD", 0)  # one at a time: none is taken along
    found = cutaway.survey(zoo, tmp_path / "zoo.db", client=client)
    assert found["states"] == {"read": 10, "unreadable": 1, "crashed": 1}
    assert databases.rows(tmp_path / "zoo.db", "SELECT message FROM models WHERE state = 'crashed'") == [
        ("the workers of the cluster that looked at it ended, as often as its scheduler allows",)]


def test_a_worker_that_is_killed_loses_nothing(zoo, tmp_path, monkeypatch):
    monkeypatch.setattr(cluster, "CALL", SLOW)
    with Machines(tmp_path / "workers") as machines:
        def kill_one(done, _):
            if done == 2:
                machines.workers[0].kill()
        with distributed.Client(machines.address, timeout=30, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=60)
            found = cutaway.survey(zoo, tmp_path / "zoo.db", client=client, progress=kill_one)
    assert found["states"] == {"read": 11, "unreadable": 1}
    assert databases.rows(tmp_path / "zoo.db", "SELECT count(*), count(DISTINCT path) FROM models") == [(12, 12)]


def test_a_scheduler_that_is_gone_is_a_sentence_and_what_was_done_stays(zoo, tmp_path, monkeypatch):
    monkeypatch.setattr(cluster, "CALL", SLOW)
    with Machines(tmp_path / "workers") as machines:
        def kill(done, _):
            if done == 3:
                machines.scheduler.kill()
        with contextlib.closing(distributed.Client(machines.address, timeout=30, set_as_default=False)) as client:
            client.wait_for_workers(2, timeout=60)
            with pytest.raises(cutaway.Error, match="is gone; the same command goes on|was cancelled; the same") as raised:
                cutaway.survey(zoo, tmp_path / "zoo.db", client=client, progress=kill)
    assert raised.value.kind == "backend"
    done = databases.rows(tmp_path / "zoo.db", "SELECT count(*) FROM models")[0][0]
    assert done >= 3
    rest = cutaway.survey(zoo, tmp_path / "zoo.db")
    assert rest["known"] == done and rest["known"] + rest["looked_at"] == 12


def test_schedulers_and_workers_that_are_killed_at_random_leave_every_model_one_row(zoo, tmp_path):
    for number in range(80):
        shutil.copy(zoo / f"{number % 9}.onnx", zoo / f"copy{number}.onnx")
    chance, ended = random.Random(1), []
    command = [os.environ["CUTAWAY_CLI"], "survey", str(zoo), "-o", str(tmp_path / "zoo.db"), "--dask"]
    for number in range(int(os.environ.get("CUTAWAY_KILLS", "3"))):
        with Machines(tmp_path / "workers") as machines:
            with distributed.Client(machines.address, timeout=30, set_as_default=False) as client:
                client.wait_for_workers(2, timeout=60)
            with subprocess.Popen([*command, machines.address], stderr=subprocess.PIPE, text=True) as survey:
                time.sleep(chance.uniform(0.8, 3))
                (machines.workers[0] if number % 3 == 1 else machines.scheduler).kill()
                time.sleep(0.5 if number % 3 == 1 else 0)
                if number % 3 == 1:
                    survey.kill()  # else nothing is left for the next round
                message = survey.communicate(timeout=100)[1]
                ended.append(survey.returncode)
                assert survey.returncode in (0, 4, -signal.SIGKILL), message
    found = cutaway.survey(zoo, tmp_path / "zoo.db")
    print(ended, found)
    cutaway.survey(zoo, tmp_path / "whole.db")
    assert databases.content(tmp_path / "zoo.db") == databases.content(tmp_path / "whole.db")
    assert databases.rows(tmp_path / "zoo.db", "SELECT count(*), count(DISTINCT path) FROM models") == [(92, 92)]


@pytest.mark.parametrize("question", ["nthreads", "get_versions", "run"])
def test_a_scheduler_that_goes_before_the_first_model_is_a_sentence(zoo, tmp_path, question):
    with Machines(tmp_path / "workers") as machines:
        with distributed.Client(machines.address, timeout=30, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=60)
            ask = getattr(client, question)

            def asked_of_nobody(*arguments, **named):
                machines.scheduler.kill()
                machines.scheduler.wait()
                return ask(*arguments, **named)
            setattr(client, question, asked_of_nobody)
            with pytest.raises(cutaway.Error, match=f"the scheduler at {machines.address} is gone; the same command goes on"):
                cutaway.survey(zoo, tmp_path / "zoo.db", client=client)


def test_workers_that_all_go_are_a_sentence(zoo, tmp_path, monkeypatch):
    monkeypatch.setattr(cluster, "CALL", SLOW)
    monkeypatch.setattr(cluster, "WAIT_SECONDS", 2)
    with Machines(tmp_path / "workers", workers=0) as machines:
        with distributed.Client(machines.address, timeout=30, set_as_default=False) as client:
            with pytest.raises(cutaway.Error, match=f"the scheduler at {machines.address} has no workers$"):
                cutaway.survey(zoo, tmp_path / "zoo.db", client=client)
            machines.workers.append(machines.add("--no-nanny"))
            client.wait_for_workers(1, timeout=60)

            def kill(done, _):
                if done == 2:
                    machines.workers[0].kill()
            with pytest.raises(cutaway.Error, match="has no workers any more; the same command goes on"):
                cutaway.survey(zoo, tmp_path / "zoo.db", client=client, progress=kill)


def test_ctrl_c_stops_the_tasks_and_the_database_stays_right(machines, zoo, tmp_path, client):
    for number in range(400):
        shutil.copy(zoo / "0.onnx", zoo / f"copy{number}.onnx")
    running = subprocess.Popen([os.environ["CUTAWAY_CLI"], "survey", str(zoo), "-o", str(tmp_path / "zoo.db"), "--dask",
                                machines.address], stderr=subprocess.PIPE, text=True)
    for _ in range(300):
        with contextlib.suppress(Exception):
            if databases.rows(tmp_path / "zoo.db", "SELECT count(*) FROM models")[0][0] > 5:
                break
        time.sleep(0.1)
    running.send_signal(signal.SIGINT)
    _, message = running.communicate(timeout=30)
    assert running.returncode == 5, message
    assert message.splitlines()[-1].startswith("cutaway: stopped after "), message
    done = databases.rows(tmp_path / "zoo.db", "SELECT count(*) FROM models")[0][0]
    assert 5 < done < 412
    for _ in range(100):
        if not any(client.processing().values()):
            break
        time.sleep(0.1)
    assert not any(client.processing().values())
    assert cutaway.survey(zoo, tmp_path / "zoo.db")["known"] == done
    assert databases.rows(tmp_path / "zoo.db", "SELECT count(*), sum(state = 'read') FROM models") == [(412, 411)]


# ---- profiles

def profiler(name):
    """Options of a worker that takes profiles, on a machine of its own name and address."""
    number = int(name[-1])
    return ("--host", f"127.0.0.{number + 1}", "--resources", "profile=1"), {"CUTAWAY_TEST_MACHINE": name}


@pytest.fixture
def named_machines(monkeypatch):
    monkeypatch.setattr(cluster, "MACHINE", "__import__('os').environ['CUTAWAY_TEST_MACHINE']")


STUB = """(lambda os, time, json: (OTHERWISE (begin := time.time(), time.sleep(SECONDS),
 open(FILE, 'a').write(os.environ['CUTAWAY_TEST_MACHINE'] + f' {begin} {time.time()}' + chr(10)))
 and ('record', json.dumps({**json.loads(__import__('cutaway')._record_without('')), 'state': 'read', 'measurement':
 {'machine': '', 'backend': json.loads(arguments[3])['profile']['backend'], 'request': '', 'processor': 'a card', 'state': 'measured',
 'message': '', 'seconds': 0.5, 'p5': 0.4, 'p95': 0.6, 'runs': 3, 'peakBytes': None, 'predicted': 0.1}}))))(
 __import__('os'), __import__('time'), __import__('json'))"""


def measured_as(folder, seconds=0.0, otherwise=""):
    """What workers do in place of a profile: they say when, and on which machine."""
    stub = STUB.replace("OTHERWISE", otherwise).replace("SECONDS", str(seconds)).replace("FILE", repr(str(folder / "ranges")))
    return stub.replace("\n", "") + """ if '"profile"' in arguments[3] else """ + cluster.CALL


def test_every_model_is_measured_on_every_machine_one_at_a_time(zoo, tmp_path, monkeypatch, named_machines):
    monkeypatch.setattr(cluster, "CALL", measured_as(tmp_path, 0.02))
    with Machines(tmp_path / "workers", workers=1) as machines:
        for name in ("machine1", "machine2"):
            options, environment = profiler(name)
            machines.workers.append(machines.add("--nthreads", "3", *options, **environment))
        with distributed.Client(machines.address, timeout=30, set_as_default=False) as client:
            client.wait_for_workers(3, timeout=60)
            progress = []
            found = cutaway.survey(zoo, tmp_path / "zoo.db", client=client, profiles=["ort", "torch@cuda:0"],
                                   progress=lambda *row: progress.append(row))
            assert found["profiles"] == {"ort": {"measured": 22}, "torch@cuda:0": {"measured": 22}}
            assert progress[-1] == (44, 44)
            again = cutaway.survey(zoo, tmp_path / "zoo.db", client=client, profiles=["ort", "torch@cuda:0"])
            assert again["profiles"] == {}
    assert databases.rows(tmp_path / "zoo.db", "SELECT machine, backend, count(*), min(seconds), max(predicted) FROM profiles "
                                               "GROUP BY machine, backend ORDER BY machine, backend") == [
        (machine, backend, 11, 0.5, 0.1) for machine in ("machine1", "machine2") for backend in ("ort", "torch@cuda:0")]
    ranges = {}
    for line in (tmp_path / "ranges").read_text().splitlines():
        machine, begin, end = line.split()
        ranges.setdefault(machine, []).append((float(begin), float(end)))
    assert sorted(ranges) == ["machine1", "machine2"]
    for each in ranges.values():
        each.sort()
        assert all(end <= begin for (_, end), (begin, _) in zip(each, each[1:])), "two at a time on one device"


def test_a_machine_that_is_lost_is_a_row_and_measured_by_the_next_survey(zoo, tmp_path, monkeypatch, named_machines):
    monkeypatch.setattr(cluster, "CALL", measured_as(tmp_path, 0.3))
    monkeypatch.setattr(cluster, "WAIT_SECONDS", 2)
    with Machines(tmp_path / "workers", workers=1) as machines:
        options, environment = profiler("machine1")
        machines.workers.append(machines.add("--no-nanny", *options, **environment))
        with distributed.Client(machines.address, timeout=30, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=60)

            def kill(done, total):
                if (done, total) == (3, 11):
                    machines.workers[1].kill()
            found = cutaway.survey(zoo, tmp_path / "zoo.db", client=client, profiles=["ort"], progress=kill)
            lost = found["profiles"]["ort"]["lost"]
            assert found["profiles"]["ort"] == {"measured": 11 - lost, "lost": lost} and 0 < lost <= 8
            assert databases.rows(tmp_path / "zoo.db", "SELECT DISTINCT message FROM profiles WHERE state = 'lost'") == [
                ("the workers of this machine that take profiles are gone",)]
            machines.workers.append(machines.add(*options, **environment))
            client.wait_for_workers(2, timeout=60)
            assert cutaway.survey(zoo, tmp_path / "zoo.db", client=client, profiles=["ort"])["profiles"] == {
                "ort": {"measured": lost}}
    assert databases.rows(tmp_path / "zoo.db", "SELECT state, count(*) FROM profiles GROUP BY state") == [("measured", 11)]


def test_a_model_that_ends_the_workers_that_measure_it_is_a_row(zoo, tmp_path, monkeypatch, named_machines):
    kill = "os._exit(9) if arguments[0].endswith('/3.onnx') else "
    monkeypatch.setattr(cluster, "CALL", measured_as(tmp_path, 0, kill))
    monkeypatch.setattr(cluster, "TASKS_PER_THREAD", 0)  # one at a time: none is taken along
    with Machines(tmp_path / "workers", workers=1) as machines:
        options, environment = profiler("machine1")
        machines.workers.append(machines.add(*options, **environment))
        with distributed.Client(machines.address, timeout=30, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=60)
            found = cutaway.survey(zoo, tmp_path / "zoo.db", client=client, profiles=["ort"])
    assert found["profiles"] == {"ort": {"measured": 10, "crashed": 1}}
    assert databases.rows(tmp_path / "zoo.db", "SELECT path LIKE '%/3.onnx', models.state FROM profiles JOIN models ON id = "
                                               "model WHERE profiles.state = 'crashed'") == [(1, "read")]


def test_a_backend_that_the_workers_lack_is_a_row_and_without_the_resource_there_is_a_sentence(client, zoo, tmp_path):
    with pytest.raises(cutaway.Error, match="takes profiles; those that may are started with --resources profile=1$"):
        cutaway.survey(zoo, tmp_path / "zoo.db", client=client, profiles=["nobody"])
    with Machines(tmp_path / "workers", workers=0) as machines:
        machines.workers.append(machines.add("--resources", "profile=1"))
        with distributed.Client(machines.address, timeout=30, set_as_default=False) as own:
            own.wait_for_workers(1, timeout=60)
            found = cutaway.survey(zoo / "0.onnx", tmp_path / "zoo.db", client=own, profiles=["nobody"])
    assert found["profiles"] == {"nobody": {"absent": 1}}
    assert databases.rows(tmp_path / "zoo.db", "SELECT machine, message FROM profiles") == [
        (socket.gethostname(), "there is no backend 'nobody' here")]


# ---- what is wrong

def test_an_address_where_none_is(zoo, tmp_path, command_line, monkeypatch):
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 1)
    address = f"tcp://127.0.0.1:{free_port()}"
    for wrong in (address, "tcp://no-such-host.invalid:8786", "nonsense://x"):
        with pytest.raises(cutaway.Error) as raised:
            cluster.connected(wrong)
        assert wrong in str(raised.value) and "\n" not in str(raised.value) and raised.value.kind == "backend"
    answer = command_line("survey", str(zoo), "-o", str(tmp_path / "zoo.db"), "--dask", address)
    assert answer.returncode == 4
    assert answer.stderr.startswith(f"cutaway: no Dask scheduler answers at {address}") and answer.stderr.count("\n") == 1


def test_other_versions_are_named(client, zoo, tmp_path, monkeypatch):
    monkeypatch.setattr(cluster, "VERSION", "'0.0.1'")
    with pytest.raises(cutaway.Error, match=f"has another version of Cutaway: 0.0.1, here it is {cutaway.__version__}"):
        cutaway.survey(zoo, tmp_path / "zoo.db", client=client)
    monkeypatch.setattr(cluster, "VERSION", "__import__('no_such_module')")
    with pytest.raises(cutaway.Error, match="has not the Python module 'no_such_module'; install python3-cutaway there"):
        cutaway.survey(zoo, tmp_path / "zoo.db", client=client)
    assert cluster.looked_at  # a worker that comes later has no handshake
    with pytest.raises(RuntimeError, match="it has Cutaway .*, and this is 9.9"):
        cluster.looked_at(str(zoo / "0.onnx"), 1, "9.9", "{}", None)


def test_another_dask_or_python_is_named():
    def of(dask, python):
        return {"packages": {"distributed": dask, "python": python}}
    same = {"client": of("1", "3.13.1.final.0"), "scheduler": of("1", "3.13.2.final.0"), "workers": {}}
    cluster.check_dask(same)
    with pytest.raises(cutaway.Error, match="^the scheduler has Dask 2, and here it is 1; they have to be the same$"):
        cluster.check_dask({**same, "scheduler": of("2", "3.13.1.final.0")})
    with pytest.raises(cutaway.Error, match="^the worker tcp://a has Python 3.12, and here it is 3.13"):
        cluster.check_dask({**same, "workers": {"tcp://a": of("1", "3.12.1.final.0")}})


def test_a_file_that_the_workers_have_not_is_left_out_and_no_row(client, zoo, tmp_path, monkeypatch):
    submit = cluster.Cluster._submit

    def without_file(self, task, size):
        if task.path.endswith("/1.onnx"):
            os.rename(task.path, task.path + ".moved")
        submit(self, task, size + (1 if task.path.endswith("/2.onnx") else 0))
    monkeypatch.setattr(cluster.Cluster, "_submit", without_file)
    found = cutaway.survey(zoo, tmp_path / "zoo.db", client=client)
    host = socket.gethostname()
    size = os.stat(zoo / "2.onnx").st_size
    assert sorted(found["left_out"]) == [
        (str(zoo / "1.onnx"), f"No such file or directory on the worker {host}"),
        (str(zoo / "2.onnx"), f"the worker {host} has another file there, of {size} bytes")]
    assert databases.rows(tmp_path / "zoo.db", "SELECT count(*) FROM models") == [(10,)]


def test_without_the_packages_it_says_which(zoo, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(cutaway.Error, match=r"needs the Python package 'distributed' \(in Debian: python3-distributed\)"):
        cluster.connected("tcp://127.0.0.1:1")


def test_without_the_module_the_command_line_says_so(zoo, tmp_path):
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    answer = subprocess.run([os.environ["CUTAWAY_CLI"], "survey", str(zoo), "-o", str(tmp_path / "zoo.db"), "--dask", "tcp://a:1"],
                            capture_output=True, text=True, check=False, cwd=tmp_path, env=environment)
    assert answer.returncode == 4
    assert answer.stderr == ("cutaway: clusters and URLs need the Python module 'cutaway' (package python3-cutaway): "
                             "No module named 'cutaway_remote'\n")


def test_the_command_line_asks_the_python_that_is_named(zoo, tmp_path):
    named = tmp_path / "python"
    named.write_text("#!/bin/sh\necho it is asked >&2\nexit 4\n")
    named.chmod(0o755)
    answer = subprocess.run([os.environ["CUTAWAY_CLI"], "survey", str(zoo), "-o", str(tmp_path / "zoo.db"), "--dask", "tcp://a:1"],
                            capture_output=True, text=True, check=False, env={**os.environ, "CUTAWAY_PYTHON": str(named)})
    assert (answer.returncode, answer.stderr) == (4, "it is asked\n")


# ---- the worked examples of the manual

def test_the_example_with_a_local_cluster(zoo, tmp_path):
    page = (ROOT / "docs/cluster.md").read_text()
    example = re.search(r"```python\n(.*?)```", page, re.DOTALL)[1]
    answer = subprocess.run([sys.executable, "-B", "-c", example], capture_output=True, text=True, check=False,
                            cwd=tmp_path, timeout=200)
    assert answer.stdout == "{'read': 11, 'unreadable': 1}\n", answer.stderr
    assert databases.rows(tmp_path / "zoo.db", "SELECT count(*) FROM checks") == [(11,)]


def on_cluster(script, start, zoo, tmp_path):
    """Runs a survey in a shell that has such a place; the shell's answer."""
    commands = f"""
. '{TARGETS}/{script}'
{DASK} scheduler --host 127.0.0.1 --port {{port}} --no-dashboard --no-show >scheduler.log 2>&1 & scheduler=$!
{start}
timeout 120 '{os.environ["CUTAWAY_CLI"]}' survey '{zoo}' -o far.db --dask tcp://127.0.0.1:{{port}} --profile nobody; code=$?
kill $scheduler
exit $code
""".replace("{port}", str(free_port()))
    (tmp_path / "place").mkdir()
    answer = subprocess.run(["bash", "-o", "pipefail", "-c", commands], capture_output=True, text=True, check=False,
                            cwd=tmp_path / "place", timeout=240)
    if answer.returncode == 77:
        pytest.skip(answer.stdout.strip())
    return answer


WORKER = f"{DASK} worker tcp://127.0.0.1:{{port}} --nthreads 1 --no-dashboard --death-timeout 60 --resources profile=1"


@pytest.mark.parametrize("script, start", [
    ("ssh_target.sh", f"ssh -F ssh_config far \"cd '$PWD' && PATH='$PATH' PYTHONPATH='$PYTHONPATH' {WORKER}\" >worker.log 2>&1 &"),
    ("slurm_target.sh", f"srun --quiet {WORKER} >worker.log 2>&1 &")], ids=["ssh", "slurm"])
def test_workers_elsewhere(script, start, zoo, tmp_path):
    answer = on_cluster(script, start, zoo, tmp_path)
    assert answer.returncode == 0, answer.stderr
    assert answer.stdout == ("12 models: 12 looked at, 0 known before\n  read  11\n  unreadable  1\nprofiles:\n"
                             "  nobody  absent 11\n")
    cutaway.survey(zoo, tmp_path / "here.db", profiles=["nobody"])
    assert databases.content(tmp_path / "here.db") == databases.content(tmp_path / "place/far.db")
