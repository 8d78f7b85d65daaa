#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A plugin that does what it is asked to, all that plugins must not do included: the method is the fault.

usage: fake_plugin.py [FAULT]     a fault of the start: version, silent, dies, library, password, garbage
"""
import json
import os
import pathlib
import select
import signal
import socket
import sys
import tempfile
import time

stdin, stdout = sys.stdin.buffer, sys.stdout.buffer


def send(message, payload=b""):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    stdout.write(b"Content-Length: %d\r\nPayload-Length: %d\r\n\r\n" % (len(body), len(payload)) + body + payload)
    stdout.flush()


def receive():
    lengths = {}
    while line := stdin.readline().strip():
        name, _, value = line.partition(b":")
        lengths[name] = int(value)
    if not lengths:
        sys.exit(0)
    return json.loads(stdin.read(lengths[b"Content-Length"])), stdin.read(lengths.get(b"Payload-Length", 0))


def outcome(action):
    """What came of it, in a word."""
    try:
        action()
        return "done"
    except OSError as error:
        return type(error).__name__


def connect(port):
    socket.create_connection(("127.0.0.1", port), timeout=5).close()


def wait_for_cancel(request):
    message, _ = receive()
    assert message["method"] == "cancel" and message["params"]["id"] == request["id"]
    send({"id": request["id"], "error": {"code": -32800, "message": "cancelled"}})


def answer(request, payload):
    method, params = request["method"], request["params"]
    if method == "echo":
        send({"id": request["id"], "result": params}, payload)
    elif method == "environment":
        send({"id": request["id"], "result": {"descriptors": len(os.listdir("/proc/self/fd")) - 1,
                                              "folder": os.getcwd(), "pid": os.getpid(),
                                              "terminal": outcome(lambda: open("/dev/tty").close())}})
    elif method == "processors":
        with open("/proc/cpuinfo") as info, open("/sys/devices/system/cpu/possible") as possible:
            send({"id": request["id"], "result": {"count": info.read().count("processor\t"), "possible": possible.read()}})
    elif method == "variables":
        send({"id": request["id"], "result": sorted(os.environ)})
    elif method == "ping":
        send({"id": request["id"], "result": {}})
    elif method == "talk":
        send({"method": "progress", "params": {"what": "reading", "done": 1, "total": 2}})
        send({"method": "log", "params": {"message": "hello"}})
        send({"id": 1, "method": "question", "params": {}})
        assert receive()[0]["error"]["code"] == -32601
        send({"id": request["id"], "result": {}})
    elif method == "reject":
        send({"id": request["id"], "error": params})
    elif method == "raise":
        raise ValueError("no such thing")
    elif method == "exit":
        sys.exit(params["code"])
    elif method == "kill":
        os.kill(os.getpid(), params["signal"])
    elif method == "allocate":
        hoard = [bytearray(1 << 20) for _ in range(1 << 12)]
        send({"id": request["id"], "result": len(hoard)})
    elif method == "loop":
        while True:
            pass
    elif method == "wait":
        wait_for_cancel(request)
    elif method == "print":
        print(params["text"], flush=True)
        time.sleep(60)
    elif method == "cut":
        stdout.write(b"Content-Length: 100\r\n\r\n{\"id\":")
        stdout.flush()
        sys.exit(0)
    elif method == "close":
        os.close(1)
        time.sleep(60)
    elif method == "chatter":
        for i in range(20000):
            print("line", i, file=sys.stderr)
        send({"id": request["id"], "result": {}})
    elif method == "child":
        child = os.fork()
        if child == 0:
            time.sleep(60)
            os._exit(0)
        send({"id": request["id"], "result": child})
    elif method == "escape":
        path = pathlib.Path(params["path"])
        send({"id": request["id"], "result": {
            "read": outcome(path.read_bytes), "write": outcome(lambda: path.write_text("x")),
            "home": outcome(lambda: list(pathlib.Path(params["home"]).iterdir())),
            "allowed": outcome(pathlib.Path(params["allowed"]).read_bytes),
            "change": outcome(lambda: pathlib.Path(params["allowed"]).write_text("x")),
            "scratch": outcome(lambda: tempfile.TemporaryFile().close()),
            "network": outcome(lambda: connect(params["port"]))}})
    elif method == "transform":
        paths = [pathlib.Path(name) for name in json.loads(payload)["files"]]
        words = ["whole" if all(path.is_absolute() for path in paths) else "cut", *(outcome(p.read_bytes) for p in paths)]
        send({"id": request["id"], "error": {"code": -32603, "message": " ".join(words)}})
    elif method == "shutdown":
        send({"id": request["id"], "result": {}})
        sys.exit(0)
    else:
        send({"id": request["id"], "error": {"code": -32601, "message": "no such method"}})


def start(fault):
    request, _ = receive()
    if fault == "dies":
        sys.exit("fake_plugin: the licence has expired")
    if fault == "library":
        sys.stderr.write("runner: error while loading shared libraries: libfoo.so.1: cannot open shared object file\n")
        sys.exit(127)
    if fault == "newer":
        sys.stderr.write("runner: /lib/libc.so.6: version `GLIBC_2.38' not found (required by runner)\n")
        sys.exit(1)
    if fault == "password":
        sys.stderr.write("somebody@gpu1's password: ")
        sys.stderr.flush()
    if fault in ("password", "silent"):
        select.select([], [], [], 60)
    if fault == "garbage":
        print("Welcome to gpu1!", flush=True)
    send({"id": request["id"], "result": {"protocol": 7 if fault == "version" else 1, "name": "fake", "version": "1"}})


def main(arguments):
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    start(arguments[0] if arguments else "")
    while True:
        request, payload = receive()
        if "id" in request:
            answer(request, payload)


if __name__ == "__main__":
    main(sys.argv[1:])
