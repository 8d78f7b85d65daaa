# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The plugin's side of the protocol: framed JSON-RPC messages, which are answered one by one. A thread reads the input,
so that `ping` is answered and `cancel` is noticed while a request is being handled."""
from __future__ import annotations

import json
import os
import queue
import select
import threading
from typing import Any, BinaryIO, Callable, NamedTuple, Optional

METHOD_NOT_FOUND, INVALID_PARAMS, INTERNAL_ERROR, CANCELLED, UNREADABLE = -32601, -32602, -32603, -32800, 1


class Failure(Exception):
    """Raised if a request cannot be served; the message is shown to the user as it is."""

    def __init__(self, message: str, code: int = INTERNAL_ERROR) -> None:
        super().__init__(message)
        self.code = code


class Cancelled(Failure):
    def __init__(self) -> None:
        super().__init__("cancelled", CANCELLED)


class Request(NamedTuple):
    id: int
    method: str
    params: dict[str, Any]
    payload: bytes
    stop: threading.Event

    def check(self) -> None:
        """Raises Cancelled if the client no longer waits for the answer."""
        if self.stop.is_set():
            raise Cancelled()


Answer = tuple[dict[str, Any], bytes]
Handler = Callable[[Request], Answer]


def read_message(stream: BinaryIO) -> Optional[tuple[dict[str, Any], bytes]]:
    """Returns the next message with its payload; None at the end of input. Raises ValueError if it is no message."""
    lengths: dict[bytes, int] = {}
    while line := stream.readline():
        if not line.strip():
            if lengths:
                break
            continue
        name, _, value = line.partition(b":")
        lengths[name.strip().lower()] = int(value)
    if not lengths:
        return None
    body, payload = stream.read(lengths[b"content-length"]), stream.read(lengths.get(b"payload-length", 0))
    return json.loads(body), payload


class Server:
    def __init__(self, stdin: BinaryIO, stdout: BinaryIO, handlers: dict[str, Handler]) -> None:
        self._stdin, self._stdout, self._handlers = stdin, stdout, handlers
        self._writing = threading.Lock()
        self._requests: queue.Queue[Optional[Request]] = queue.Queue()
        self._stops: dict[int, threading.Event] = {}

    def serve(self) -> None:
        """Serves until `shutdown` or the end of the input."""
        threading.Thread(target=self._listen, daemon=True).start()
        while request := self._requests.get():
            self._write(*self._respond(request))
            self._stops.pop(request.id, None)
            if request.method == "shutdown":
                return

    def log(self, message: str) -> None:
        self._write({"method": "log", "params": {"message": message}})

    def _respond(self, request: Request) -> Answer:
        handler = self._handlers.get(request.method)
        try:
            if handler is None:
                raise Failure(f"unknown method '{request.method}'", METHOD_NOT_FOUND)
            request.check()
            result, payload = handler(request)
            return {"id": request.id, "result": result}, payload
        except Failure as failure:
            return {"id": request.id, "error": {"code": failure.code, "message": str(failure)}}, b""
        except Exception as error:  # torch's exceptions end with a trace of torch's own
            message = (str(error) or type(error).__name__).strip().splitlines()[0]
            return {"id": request.id, "error": {"code": INTERNAL_ERROR, "message": message}}, b""

    def _listen(self) -> None:
        try:
            while message := read_message(self._stdin):
                self._take(*message)
        finally:
            self._requests.put(None)
            self._end_with_reader()

    def _take(self, message: dict[str, Any], payload: bytes) -> None:
        params = message.get("params") or {}
        if message.get("method") == "ping":
            self._write({"id": message["id"], "result": {}})
        elif message.get("method") == "cancel":
            if stop := self._stops.get(params.get("id")):
                stop.set()
        elif "id" in message and "method" in message:
            stop = self._stops[message["id"]] = threading.Event()
            self._requests.put(Request(message["id"], message["method"], params, payload, stop))

    def _write(self, message: dict[str, Any], payload: bytes = b"") -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}, allow_nan=False).encode()
        try:
            with self._writing:
                self._stdout.write(b"Content-Length: %d\r\nPayload-Length: %d\r\n\r\n" % (len(body), len(payload)))
                self._stdout.write(body + payload)
                self._stdout.flush()
        except OSError:
            pass  # the client has ended, and the end of the input follows

    def _end_with_reader(self) -> None:
        """Ends the program: on a remote machine nothing else does so when the connection is lost."""
        poll = select.poll()
        poll.register(self._stdout.fileno(), 0)
        poll.poll()
        os._exit(1)
