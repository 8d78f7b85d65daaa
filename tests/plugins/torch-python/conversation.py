# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is said to the plugin, as Cutaway says it."""
import json
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
PLUGIN = HERE.parents[2] / "plugins/torch-python"
sys.path.insert(0, str(PLUGIN))


def frame(message, payload=b""):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    return b"Content-Length: %d\r\nPayload-Length: %d\r\n\r\n" % (len(body), len(payload)) + body + payload


def hold(*asked, torch="fake"):
    """The outcomes of these methods with their parameters: results, or errors as (code, message)."""
    said = b"".join(frame({"id": i, "method": method, "params": params}) for i, (method, params) in enumerate(asked))
    # without packages of the system: the torch is the stand-in, or there is none
    command = [sys.executable, "-S", "-B", str(PLUGIN / "run.py")]
    environment = {**os.environ, "PYTHONPATH": str(HERE / torch), "PATH": str(HERE)}
    plugin = subprocess.run(command, input=said, capture_output=True, timeout=60, env=environment)
    from cutaway_torch.wire import read_message
    import io
    stream, outcomes = io.BytesIO(plugin.stdout), {}
    while read := read_message(stream):
        message = read[0]
        error = message.get("error")
        outcomes[message["id"]] = (error["code"], error["message"]) if error else message["result"]
    return [outcomes.get(i) for i in range(len(asked))]
