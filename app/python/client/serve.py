# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Answers the calls of calls.py with the module itself; standard input has the requests, standard output the answers."""
import io
import os
import pickle
import signal
import struct
import types

import cutaway

PROTOCOL = 4
LENGTH = struct.Struct("<Q")
PLAIN = frozenset({type(None), bool, int, float, complex, str, bytes, list, tuple, dict})


class Writer(pickle.Pickler):
    """Pickles an answer; the module's objects are kept in `objects`, by their numbers."""

    def __init__(self, file, objects):
        super().__init__(file, PROTOCOL)
        self._objects = objects

    def persistent_id(self, value):
        if type(value) in PLAIN or type(value).__module__ != "cutaway":
            return None
        number = self._objects.number
        self._objects.number += 1
        self._objects.held[number] = value
        return number, type(value).__name__


class Reader(pickle.Unpickler):
    def __init__(self, file, server):
        super().__init__(file)
        self._server = server

    def persistent_load(self, reference):
        kind, *rest = reference
        if kind == "object":
            return self._server.objects.held[rest[0]]
        if kind == "array":
            return types.SimpleNamespace(shape=rest[0], dtype=rest[1])
        return lambda *arguments: self._server.call_back(rest[0], arguments)

    def find_class(self, module, name):
        raise pickle.UnpicklingError(f"a request has a {module}.{name} in it")


def raised(fault):
    if isinstance(fault, cutaway.Error):
        return "raise", "Error", (str(fault),), fault.kind, fault.reproducer
    texts = tuple(each if type(each) in PLAIN else str(each) for each in fault.args)
    names = [base.__name__ for base in type(fault).__mro__ if base.__module__ == "builtins"]
    return "raise", names[0], texts, None, None


def property_of(target, name):
    try:
        return "value", hash(target) if name == "__hash__" else getattr(target, name)
    except Exception as fault:
        return raised(fault)


class Server:
    def __init__(self):
        self.objects = types.SimpleNamespace(held={}, number=0)
        self._requests, self._answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
        with open(os.devnull, "rb") as nothing:
            os.dup2(nothing.fileno(), 0)
        os.dup2(2, 1)  # nothing but answers stands between them
        self._folder, self._is_asked = os.getcwd(), False
        signal.signal(signal.SIGINT, self._interrupt)

    def serve(self):
        """Answers requests until one is the answer to a call back, whose outcome it gives."""
        while True:
            kind, *request = Reader(io.BytesIO(self._read(LENGTH.unpack(self._read(LENGTH.size))[0])), self).load()
            if kind == "answer":
                return request[0]
            self._send(self._answer(kind, *request))

    def call_back(self, function, arguments):
        self._send(pickle.dumps(("call", function, arguments), PROTOCOL))
        state, *rest = self.serve()
        if state == "raise":
            raise RuntimeError(rest[1][0])
        return rest[0]

    def _answer(self, kind, *request):
        *asked, folder, released = request
        for number in released:
            del self.objects.held[number]
        was_asked, self._is_asked = self._is_asked, True
        try:
            if folder != self._folder:
                os.chdir(folder)
                self._folder = folder
            outcome = self._properties(*asked) if kind == "get" else self._called(*asked)
            content = io.BytesIO()
            Writer(content, self.objects).dump(("value", outcome))
            return content.getvalue()
        except BaseException as fault:
            return pickle.dumps(raised(fault), PROTOCOL)
        finally:
            self._is_asked = was_asked

    def _called(self, target, name, arguments, named, environment):
        if environment is not None:  # programs that a call starts have that of the caller
            os.environ.clear()
            os.environ.update(environment)
        return getattr(cutaway if target is None else target, name)(*arguments, **named)

    def _properties(self, targets, name):
        return [property_of(target, name) for target in targets]

    def _read(self, count):
        content = self._requests.read(count)
        if len(content) < count:
            os._exit(0)  # the other side has ended
        return content

    def _send(self, content):
        self._answers.write(LENGTH.pack(len(content)) + content)
        self._answers.flush()

    def _interrupt(self, *_):
        if self._is_asked:
            raise KeyboardInterrupt


if __name__ == "__main__":
    Server().serve()
