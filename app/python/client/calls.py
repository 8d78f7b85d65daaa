# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Calls of the module `cutaway` that a process beside this one has; serve.py is the other side.

The first call starts the process, which ends with this one. Its objects are Remotes here. A message is its length in eight
bytes and a pickle of plain values, in which objects are numbers: neither side can make the other run anything else. Calls of
several threads wait for each other. What interrupts a call here, such as Ctrl+C, stops it there and is then raised.
"""
import atexit
import builtins
import collections
import functools
import io
import numbers
import os
import pickle
import select
import signal
import struct
import subprocess
import sys
import threading
import weakref

from . import programs

PROTOCOL = 4  # of pickle: every Python that this is for has it
LENGTH = struct.Struct("<Q")
MOST_AHEAD = 4096  # objects that one answer has a property of
MILLISECONDS_BETWEEN_SIGNALS = 100  # not all of them interrupt a wait
ATOMS = frozenset({type(None), bool, int, float, str, bytes})
PRIVATE = frozenset({"_Survey", "_check_profile", "_host_name", "_open_fetched", "_open_saved", "_record_apart", "_record_of_file",
                     "_record_of_parts", "_record_without"})  # what the packages beside the module call


def error(kind, sentence, reproducer=None):
    """A cutaway.Error to raise."""
    made = sys.modules["cutaway"].Error(sentence)
    made.kind, made.reproducer = kind, reproducer
    return made


# ---- values

Array = collections.namedtuple("Array", "shape dtype")  # what stands for an array of any library


def plain(value):
    """An argument in Python's own types; those of torch and numpy become what they stand for."""
    if type(value) in ATOMS:
        return value
    if isinstance(value, Remote):
        value._process.expect_alive()  # in another one its number is another object's
        return value
    if isinstance(value, (str, bytes)):
        return str.__str__(value) if isinstance(value, str) else bytes(value)
    if isinstance(value, dict):
        return {plain(key): plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return (list if isinstance(value, list) else tuple)([plain(each) for each in value])
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, numbers.Real):
        return int(value) if isinstance(value, numbers.Integral) else float(value)
    if hasattr(value, "shape") and hasattr(value, "dtype"):
        sizes = tuple(size if type(size) is int else str(size) for size in value.shape)
        return Array(sizes, getattr(value.dtype, "__name__", None) or str(value.dtype))
    if callable(value):
        return value
    raise TypeError(f"a {type(value).__name__} means nothing to Cutaway")


def copied(value):
    """What a property gives: lists and dicts are the caller's own."""
    if type(value) is list:
        return [copied(each) for each in value]
    if type(value) is dict:
        return {key: copied(each) for key, each in value.items()}
    return value


class Writer(pickle.Pickler):
    """Pickles a request; functions are kept in `functions`, to be called back."""

    def __init__(self, file, functions):
        super().__init__(file, PROTOCOL)
        self._functions = functions

    def persistent_id(self, value):
        if type(value) in ATOMS or type(value) in (list, tuple, dict):
            return None
        if isinstance(value, Remote):
            return "object", value._number
        if isinstance(value, Array):
            return "array", value.shape, value.dtype
        if callable(value):
            self._functions.append(value)
            return "function", len(self._functions) - 1
        return None


class Reader(pickle.Unpickler):
    """Reads an answer, whose objects become Remotes."""

    def __init__(self, file, process):
        super().__init__(file)
        self._process, self._batches = process, {}

    def persistent_load(self, reference):
        number, name = reference
        made = object.__new__(vars(sys.modules["cutaway"]).get(name, Other))
        batch = self._batches.setdefault(name, Batch())
        made._process, made._number, made._known = self._process, number, {}
        made._batch, made._place = batch, len(batch.objects)
        batch.objects.append(weakref.ref(made))
        return made

    def find_class(self, module, name):
        if (module, name) == ("builtins", "complex"):  # the one plain value that pickle makes by calling its class
            return complex
        raise pickle.UnpicklingError(f"an answer has a {module}.{name} in it")


# ---- objects

class Batch:
    """Objects of one class that came together. Whoever asks one of them after the other is likely to ask all: each answer
    brings the property of twice as many as the one before."""

    def __init__(self):
        self.objects, self.ahead = [], {}

    def asked(self, first, name):
        count = self.ahead.get(name, 1)
        self.ahead[name] = min(2 * count, MOST_AHEAD)
        found = (reference() for reference in self.objects[first._place:first._place + count])
        return [each for each in found if each is not None and name not in each._known]


class Remote:
    """An object of the other process. Its properties never change, and are kept."""

    def __new__(cls, *_, **__):
        raise TypeError(f"{cls.__name__}: no constructor defined")

    def _call(self, name, /, *arguments, **named):
        return self._process.call(self, name, arguments, named)

    def _get(self, name):
        if name not in self._known:
            asked = self._batch.asked(self, name)
            for each, outcome in zip(asked, self._process.properties(asked, name)):
                each._known[name] = outcome
        return copied(result(self._known[name]))

    def _equals(self, other):
        return self is other or (type(self) is type(other) and self._process is other._process and self._call("__eq__", other))

    def __reduce__(self):
        raise TypeError(f"cannot pickle '{type(self).__name__}' object")

    def __del__(self):
        process = getattr(self, "_process", None)
        if process is not None:
            process.released.append(self._number)


class Other(Remote):
    """An object of no class that users know."""

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return functools.partial(self._call, name)


def result(outcome, raised_here=None):
    """The value of a call, or what it raises."""
    state, *rest = outcome
    if state == "value":
        return rest[0]
    if raised_here is not None:
        raise raised_here
    name, texts, kind, reproducer = rest
    if name == "Error":
        raise error(kind, texts[0], reproducer)
    raise getattr(builtins, name, RuntimeError)(*texts)


# ---- the process

class Process:
    def __init__(self):
        try:
            self._environment = programs.environment()
            self._program = subprocess.Popen(programs.MODULE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0,
                                             env=self._environment,
                                             start_new_session=True)  # Ctrl+C in the terminal comes by way of this process
        except OSError as fault:
            raise error("backend", f"{fault.filename}: {fault.strerror}; {programs.MEND}") from None
        self._requests, self._answers = self._program.stdin.fileno(), self._program.stdout.fileno()
        self._poll = select.poll()
        self._poll.register(self._answers, select.POLLIN)
        self._buffer, self._lock, self._interrupt, self._ended = bytearray(), threading.RLock(), None, ""
        self.released = []

    def call(self, target, name, arguments, named):
        environment = programs.environment()
        changed = None if environment == self._environment else environment
        self._environment = environment
        return self._exchange("call", target, name, plain(arguments), plain(named), changed)

    def properties(self, targets, name):
        """The outcomes of a property of several objects."""
        return self._exchange("get", targets, name)

    @property
    def is_alive(self):
        return not self._ended

    def expect_alive(self):
        if self._ended:
            raise error("backend", f"the process of the module has ended ({self._ended}): open the model again")

    def close(self):
        """Ends it. What else is asked of its objects says that they are gone."""
        self._ended = self._ended or "it was interrupted"
        for stream in (self._program.stdin, self._program.stdout):
            stream.close()
        self._program.kill()
        self._program.wait()

    def _exchange(self, *request):
        with self._lock:
            self.expect_alive()
            folder = os.getcwd()
            released, self.released = self.released, []
            functions, raised = [], None
            try:
                self._send((*request, folder, released), functions)
                while (answer := self._receive())[0] == "call":
                    raised = self._call_back(functions[answer[1]], answer[2]) or raised
            except BaseException:
                self.close()  # who knows what its next answer would be to
                raise
            interrupt, self._interrupt = self._interrupt, None
            if interrupt is not None:
                raise interrupt
            return result(answer, raised)

    def _call_back(self, function, arguments):
        """Calls what was handed over; gives what it raises."""
        try:
            outcome, raised = ("value", plain(function(*arguments))), None
        except BaseException as fault:
            outcome, raised = ("raise", type(fault).__name__, (str(fault),), None, None), fault
        self._send(("answer", outcome), [])
        return raised

    def _send(self, message, functions):
        content = io.BytesIO()
        Writer(content, functions).dump(message)
        rest = memoryview(LENGTH.pack(content.tell()) + content.getvalue())
        try:
            while rest:
                rest = rest[os.write(self._requests, rest):]
        except BrokenPipeError:
            self._raise_end()

    def _receive(self):
        content = self._read(LENGTH.unpack(self._read(LENGTH.size))[0])
        return Reader(io.BytesIO(content), self).load()

    def _read(self, count):
        while len(self._buffer) < count:
            self._wait()
            part = os.read(self._answers, 1 << 20)
            if not part:
                self._raise_end()
            self._buffer += part
        content = bytes(self._buffer[:count])
        del self._buffer[:count]
        return content

    def _wait(self):
        """Waits for an answer; what interrupts that, interrupts the call, which still has an answer."""
        while True:
            try:
                while not self._poll.poll(MILLISECONDS_BETWEEN_SIGNALS):
                    pass
                return
            except BaseException as interrupt:
                if self._interrupt is not None:
                    raise
                self._interrupt = interrupt
                self._program.send_signal(signal.SIGINT)

    def _raise_end(self):
        code = self._program.wait()
        self._ended = f"by signal {-code}, {signal.Signals(-code).name}" if code < 0 else f"with exit code {code}"
        raise error("backend", f"the process of the module has ended {self._ended}")


class Processes:
    """The process of this one: started when it is first asked, again after it has ended, and never shared by fork."""

    def __init__(self):
        self._lock, self._current = threading.Lock(), None
        os.register_at_fork(after_in_child=self._forget)
        atexit.register(self._end)

    def current(self):
        with self._lock:
            if self._current is None or not self._current.is_alive:
                self._current = Process()
            return self._current

    def _forget(self):
        self._lock = threading.Lock()
        if self._current is not None:
            self._current._ended, self._current._lock = "this process is a fork", threading.RLock()

    def _end(self):
        if self._current is not None and self._current.is_alive:
            self._current.close()


processes = Processes()


def call(name, /, *arguments, **named):
    """Calls a function of the module."""
    return processes.current().call(None, name, arguments, named)
