# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A survey on Dask's workers: a task for each model, a bounded number of them at a time.

A task is a call of a builtin with a text. The scheduler unpickles tasks before workers do, and need not have Cutaway so;
a worker that has not is one sentence. On the worker, a model is looked at in a process of its own: it can crash, hang or
eat memory there, and the worker goes on. Dask counts the workers that end all the same and gives a model up (KilledWorker).
"""
import json
import os
import queue
import socket
import subprocess
import time
import uuid

import cutaway

from cutaway_remote import error, is_url, lacking, one_line, worker

CALL = "__import__('cutaway_remote.cluster', fromlist=['looked_at']).looked_at(*arguments)"
VERSION = "__import__('cutaway').__version__"
PROGRAM = "__import__('cutaway_remote.cluster', fromlist=['program_version']).program_version()"
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


class Cluster:
    """The workers of a Client, which stays the caller's, or of a scheduler at an address."""

    def __init__(self, client, request, memory):
        self.request, self._memory = request, memory
        self._is_own = isinstance(client, str)
        self._client = connected(client) if self._is_own else client
        if getattr(self._client, "asynchronous", False):
            raise error("usage", "the Client is asynchronous; a survey waits for its workers")
        self._pending = {}  # key: (path, future) of each model that is under way
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

    def _threads(self):
        try:
            return sum(self._client.nthreads().values())
        except Exception:  # what a lost connection raises depends on where it is lost
            raise self._gone() from None

    def _wait_for_workers(self):
        end = time.monotonic() + WAIT_SECONDS
        while not self._threads():
            if time.monotonic() > end:
                raise error("backend", f"the scheduler at {self._address()} has no workers")
            time.sleep(0.2)

    def _check_versions(self):
        check_dask(self._client.get_versions(check=False))
        self._check_each(VERSION, cutaway.__version__, "Cutaway")
        if json.loads(self.request)["checks"]:
            self._check_each(PROGRAM, expected_program(), "the program")

    def _check_each(self, expression, here, what):
        answers = self._client.run(eval, expression, on_error="return")
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
        todo = iter(work)
        room = self._room()
        is_left = True
        lonely_since = None
        while is_left or self._pending:
            while is_left and len(self._pending) < room:
                path = next(todo, None)
                is_left = path is not None
                if is_left:
                    self._submit(path, state.version(path)[0])
            try:
                key = self._results.get(timeout=1)
            except queue.Empty:
                self._expect_scheduler()
                room = self._room()
                lonely_since = None if self._threads() else lonely_since or time.monotonic()
                if lonely_since and time.monotonic() - lonely_since > WAIT_SECONDS:
                    raise error("backend", f"the scheduler at {self._address()} has no workers any more; the same "
                                           "command goes on from here") from None
                continue
            self._take(state, *self._pending.pop(key))
            one_more()

    def _room(self):
        return max(1, TASKS_PER_THREAD * self._threads())

    def _submit(self, path, size):
        arguments = (path, size, cutaway.__version__, self.request, self._memory)
        key = f"cutaway-{uuid.uuid4().hex}"
        future = self._client.submit(eval, f"(lambda arguments: {CALL})({arguments!r})", pure=False, key=key)
        self._pending[key] = path, future
        future.add_done_callback(lambda done: self._results.put(done.key))

    def _gone(self):
        return error("backend", f"the scheduler at {self._address()} is gone; the same command goes on from here")

    def _expect_scheduler(self):
        if self._client.status != "running":
            raise self._gone()

    def _take(self, state, path, future):
        if future.status == "finished":
            try:
                kind, content = future.result()
            except OSError:  # the scheduler ended while it handed the result over
                raise self._gone() from None
            state.put(path, content) if kind == "record" else state.leave_out(path, content)
        elif future.status == "error":
            fault = future.exception()
            if type(fault).__name__ != "KilledWorker":
                raise error("backend", f"{path}: a worker of the cluster: {one_line(fault)}")
            state.put_crash(path, "the workers of the cluster that looked at it ended, as often as its scheduler allows")
        else:
            self._expect_scheduler()
            raise error("backend", f"{path}: its task was cancelled; the same command goes on from here")


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
