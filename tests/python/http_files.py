# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A web server of a folder's files, by ranges of bytes, that counts what it sends."""
import http.server
import os
import pathlib
import re
import threading
import urllib.parse


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_HEAD(self):
        self._answer(has_body=False)

    def do_GET(self):
        self._answer(has_body=True)

    def _answer(self, has_body):
        path = self.server.folder / urllib.parse.unquote(self.path.partition("?")[0].lstrip("/"))
        if not path.is_file():
            self.send_response(404)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        size = path.stat().st_size
        asked = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", "")) if self.server.has_ranges else None
        begin, end = (int(asked[1]), min(int(asked[2]) + 1, size)) if asked else (0, size)
        self.send_response(206 if asked else 200)
        self.send_header("Content-Length", str(end - begin))
        if asked:
            self.send_header("Content-Range", f"bytes {begin}-{end - 1}/{size}")
        if self.server.has_ranges:
            self.send_header("Accept-Ranges", "bytes")
        self.send_header("Last-Modified", self.date_time_string(int(path.stat().st_mtime)))
        self.end_headers()
        if has_body:
            with self.server.lock:
                self.server.requests += 1
                self.server.bytes_sent += end - begin
            with open(path, "rb") as file:
                file.seek(begin)
                self.wfile.write(file.read(end - begin))


class Server(http.server.ThreadingHTTPServer):
    """Serves while it is entered; `url` names a file of the folder."""
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, folder, has_ranges=True):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.folder, self.has_ranges = pathlib.Path(folder), has_ranges
        self.bytes_sent = self.requests = 0
        self.lock = threading.Lock()

    def __enter__(self):
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()

    def url(self, name):
        return f"http://127.0.0.1:{self.server_address[1]}/{os.fspath(name)}"
