# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A survey on Dask's workers: a task for each model, a bounded number of them at a time.

A task is a call of a builtin with a text. The scheduler unpickles tasks before workers do, and need not have Cutaway so;
a worker that has not is one sentence. On the worker, a model is looked at in a process of its own: it can crash, hang or
eat memory there, and the worker goes on. Dask counts the workers that end all the same and gives a model up (KilledWorker).

Profiles begin when all models were looked at, so that nothing is beside them. A worker that may take them has the resource
RESOURCE, once for each device: Dask gives it one task at a time for each. Every model is measured on every machine that has
such a worker; a task is held to the hosts of its machine.
"""
import collections
import os
import queue
import socket
import subprocess
import time
import uuid

import cutaway

from cutaway_remote import error, is_url, lacking, one_line, worker
from cutaway_remote.survey import counted, has_checks, profile_request

CALL = "__import__('cutaway_remote.cluster', fromlist=['looked_at']).looked_at(*arguments)"
VERSION = "__import__('cutaway').__version__"
PROGRAM = "__import__('cutaway_remote.cluster', fromlist=['program_version']).program_version()"
MACHINE = "__import__('cutaway')._host_name()"
RESOURCE = "profile"
CONNECT_SECONDS = 10
WAIT_SECONDS = 60  # for a worker, where there is none
TASKS_PER_THREAD = 2  # one at work and one that waits


def distributed_module():
    try:
        import distributed
    except ImportError:
        raise lacking("a survey on a cluster", "distributed", "python3-distributed") from None
    return distributed


# ---- on the worker

def looked_at(path, size, version, request, memory):
    """('record', JSON), or ('absent', why) where this machine has not the file that is meant."""
    if cutaway.__version__ != version:
        raise RuntimeError(f"it has Cutaway {cutaway.__version__}, and this is {version}")
    if not is_url(path):
        try:
            here = os.stat(path).st_size
        except OSError as fault:
            return "absent", f"{fault.strerror} on the worker {socket.gethostname()}"
        if here != size:
            return "absent", f"the worker {socket.gethostname()} has another file there, of {here} bytes"
    return "record", cutaway._record_apart(path, request, worker.command(), memory)


def program_version():
    """Of cutaway-cli, which checks start; '' where there is none."""
    try:
        lines = subprocess.run(["cutaway-cli", "--version"], capture_output=True, text=True, check=False).stdout
    except OSError:
        return ""
    return lines.split("\n", 1)[0].strip()


# ---- here

def expected_program():
    """The same here; raises where there is none."""
    version = program_version()
    if not version:
        raise error("backend", "checks start the program cutaway-cli, which is not on PATH (package cutaway)")
    return version


# A model and what is asked of it. `machine`: the one that it is to be measured on; None: it is looked at, anywhere.
Task = collections.namedtuple("Task", "path request machine")


class Cluster:
    """The workers of a Client, which stays the caller's, or of a scheduler at an address."""

    def __init__(self, client, request, memory, profiles=()):
        self._request, self._memory, self._profiles = request, memory, profiles
        self._is_own = isinstance(client, str)
        self._client = connected(client) if self._is_own else client
        if getattr(self._client, "asynchronous", False):
            raise error("usage", "the Client is asynchronous; a survey waits for its workers")
        self._pending = {}  # key: (task, future) of each that is under way
        self._hosts = {}  # of each machine that takes profiles
        self._results = queue.SimpleQueue()

    def __enter__(self):
        try:
            self._wait_for_workers()
            self._check_versions()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        try:
            if self._pending and self._client.status == "running":
                self._client.cancel([future for _, future in self._pending.values()], force=True)
        except Exception:  # pylint: disable=broad-exception-caught  # it is lost; there is nothing to cancel then
            pass
        if self._is_own:
            self._client.close(timeout=2)

    def _address(self):
        return self._client.scheduler.address if self._client.scheduler else "?"

    def _ask(self, question, *arguments, **named):
        """The scheduler's answer to what a method of the client asks."""
        try:
            return question(*arguments, **named)
        except Exception:  # what a lost connection raises depends on where it is lost
            raise self._gone() from None

    def _threads(self):
        return sum(self._ask(self._client.nthreads).values())

    def _wait_for_workers(self):
        end = time.monotonic() + WAIT_SECONDS
        while not self._threads():
            if time.monotonic() > end:
                raise error("backend", f"the scheduler at {self._address()} has no workers")
            time.sleep(0.2)

    def _check_versions(self):
        check_dask(self._ask(self._client.get_versions, check=False))
        self._check_each(VERSION, cutaway.__version__, "Cutaway")
        if has_checks(self._request) or self._profiles:
            self._check_each(PROGRAM, expected_program(), "the program")

    def _check_each(self, expression, here, what):
        answers = self._ask(self._client.run, eval, expression, on_error="return")
        for address, answer in sorted(answers.items()):
            if isinstance(answer, ModuleNotFoundError):
                raise error("backend", f"the worker {address} has not the Python module '{answer.name}'; install "
                                       "python3-cutaway there")
            if isinstance(answer, BaseException):
                raise error("backend", f"the worker {address}: {one_line(answer)}")
            if answer != here:
                raise error("backend", f"the worker {address} has another version of {what}: {answer or 'none'}, here "
                                       f"it is {here}")

    def look(self, state, work, one_more):
        """Puts the record of each model into the database as it comes."""
        self._do(state, {None: (Task(path, self._request, None) for path in work)}, one_more)

    def measure(self, state, progress):
        """Takes the profiles of the models that were read on each machine that can."""
        self._hosts = self._hosts_of_machines()
        queues, total = {}, 0
        for machine in self._hosts:
            requests = [profile_request(self._request, profile) for profile in self._profiles]
            tasks = [Task(path, request, machine) for request in requests
                     for path in state.unmeasured(request, machine)]
            queues[machine] = iter(tasks)
            total += len(tasks)
        self._do(state, queues, counted(progress, total))

    def _able(self):
        """The workers that take profiles: how many at a time."""
        # scheduler_info() is not of this moment, and in some versions not of all workers.
        workers = self._ask(self._client.sync, self._client.scheduler.identity)["workers"]
        able = {address: int(each.get("resources", {}).get(RESOURCE, 0)) for address, each in workers.items()}
        return {address: count for address, count in able.items() if count > 0}

    def _hosts_of_machines(self):
        able = self._able()
        if not able:
            raise error("backend", f"no worker of the scheduler at {self._address()} takes profiles; those that may are "
                                   f"started with --resources {RESOURCE}=1")
        hosts = {}
        for address, machine in sorted(self._ask(self._client.run, eval, MACHINE, workers=list(able)).items()):
            hosts.setdefault(machine, set()).add(host_of(address))
        return hosts

    def _do(self, state, queues, one_more):
        """The tasks of each machine; of None those that any worker may take."""
        rooms = self._rooms()
        lonely_since = {}
        while queues or self._pending:
            for machine in list(queues):
                self._fill(state, machine, queues, rooms.get(machine, 0))
            try:
                key = self._results.get(timeout=1)
            except queue.Empty:
                self._expect_scheduler()
                rooms = self._rooms()
                for machine in {*queues, *(task.machine for task, _ in self._pending.values())}:
                    if rooms.get(machine):
                        lonely_since.pop(machine, None)
                    elif time.monotonic() - lonely_since.setdefault(machine, time.monotonic()) > WAIT_SECONDS:
                        self._lose(state, machine, queues, one_more)
                continue
            if key in self._pending:
                self._take(state, *self._pending.pop(key))
                one_more()

    def _fill(self, state, machine, queues, room):
        under_way = sum(task.machine == machine for task, _ in self._pending.values())
        for _ in range(room - under_way):
            task = next(queues[machine], None)
            if task is None:
                del queues[machine]
                return
            self._submit(task, state.version(task.path)[0])

    def _rooms(self):
        """How many tasks a machine may have; those that any worker takes are the machine None's."""
        if not self._hosts:
            threads = self._threads()
            return {None: max(1, TASKS_PER_THREAD * threads)} if threads else {}
        rooms = collections.Counter()
        for address, count in self._able().items():
            for machine, hosts in self._hosts.items():
                rooms[machine] += max(1, TASKS_PER_THREAD * count) if host_of(address) in hosts else 0
        return rooms

    def _lose(self, state, machine, queues, one_more):
        """What is left of a machine that is gone: rows that say so. Where any worker would do, there is none."""
        if machine is None:
            raise error("backend", f"the scheduler at {self._address()} has no workers any more; the same command goes on "
                                   "from here")
        keys = [key for key, (task, _) in self._pending.items() if task.machine == machine]
        self._ask(self._client.cancel, [self._pending[key][1] for key in keys], force=True)
        for task in [*(self._pending.pop(key)[0] for key in keys), *queues.pop(machine, ())]:
            state.put_no_measurement(task.path, task.request, machine, "lost",
                                     "the workers of this machine that take profiles are gone")
            one_more()

    def _submit(self, task, size):
        arguments = (task.path, size, cutaway.__version__, task.request, self._memory)
        key = f"cutaway-{uuid.uuid4().hex}"
        held = {"workers": sorted(self._hosts[task.machine]), "resources": {RESOURCE: 1}} if task.machine else {}
        call = f"(lambda arguments: {CALL})({arguments!r})"
        future = self._ask(self._client.submit, eval, call, pure=False, key=key, **held)
        self._pending[key] = task, future
        future.add_done_callback(lambda done: self._results.put(done.key))

    def _gone(self):
        return error("backend", f"the scheduler at {self._address()} is gone; the same command goes on from here")

    def _expect_scheduler(self):
        if self._client.status != "running":
            raise self._gone()

    def _take(self, state, task, future):
        if future.status == "finished":
            try:
                kind, content = future.result()
            except OSError:  # the scheduler ended while it handed the result over
                raise self._gone() from None
            put(state, task, kind, content)
        elif future.status == "error":
            fault = future.exception()
            if type(fault).__name__ != "KilledWorker":
                raise error("backend", f"{task.path}: a worker of the cluster: {one_line(fault)}")
            put(state, task, "crash", "the workers of the cluster that looked at it ended, as often as its scheduler allows")
        else:
            self._expect_scheduler()
            raise error("backend", f"{task.path}: its task was cancelled; the same command goes on from here")


def put(state, task, kind, content):
    """What became of a task: its record, why the file is absent there, or that it ended its workers."""
    if task.machine is None:
        {"record": state.put, "absent": state.leave_out, "crash": state.put_crash}[kind](task.path, content)
    elif kind == "record":
        state.put_measurement(task.path, task.request, task.machine, content)
    else:
        outcome = {"absent": "absent", "crash": "crashed"}[kind]
        state.put_no_measurement(task.path, task.request, task.machine, outcome, content)


def host_of(address):
    return address.split("://")[-1].rpartition(":")[0]


def connected(address):
    """A Client of the scheduler at an address."""
    distributed = distributed_module()
    try:
        return distributed.Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as fault:
        raise error("backend", f"no Dask scheduler answers at {address}: {one_line(fault)}") from None
    except Exception as fault:  # what a scheduler of another version may say
        raise error("backend", f"the scheduler at {address} cannot be used: {one_line(fault)}") from None


def check_dask(versions):
    """All of one version of Dask and Python: tasks are sent as pickles."""
    def of(entry):
        packages = (entry or {}).get("packages", {})
        return packages.get("distributed"), ".".join(str(packages.get("python", "")).split(".")[:2])

    here = of(versions["client"])
    others = {"the scheduler": versions["scheduler"]}
    others.update({f"the worker {address}": entry for address, entry in sorted(versions["workers"].items())})
    for name, entry in others.items():
        for what, ours, theirs in zip(("Dask", "Python"), here, of(entry)):
            if theirs and ours != theirs:
                raise error("backend", f"{name} has {what} {theirs}, and here it is {ours}; they have to be the same")
