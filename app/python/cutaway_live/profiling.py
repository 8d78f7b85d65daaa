# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The time of a model's nodes, measured by the program cutaway-cli, for torch's models with the torch of this Python."""
from __future__ import annotations

import html
import json
import numbers
import os
import shutil
import subprocess
import sys
import tempfile
from typing import Any, Optional

import cutaway
from cutaway_live import files
from cutaway_window import error

PREFIX = "cutaway-cli: "
SHOWN = 20  # rows of the table
LARGEST = 20_000  # nodes whose page a notebook keeps


class Profile:
    """Times of a model and of its nodes."""

    def __init__(self, model: cutaway.Model, measured: dict[str, Any]):
        self.model, self.measured = model, measured

    @property
    def seconds(self) -> float:
        """The median of a run without timing of nodes."""
        return float(self.measured["whole_ms"]["median"]) / 1e3

    @property
    def backend(self) -> str:
        """What ran it, and where."""
        machine = self.measured["machine"]
        return f"{', '.join(machine['libraries'])} on {machine.get('device') or 'cpu'}"

    def to_dicts(self) -> list[dict[str, Any]]:
        """A row per node that was timed, the slowest first: 'name', 'op', 'seconds', 'share' of all nodes, 'flops', 'bytes'."""
        rows = [{"name": each["name"] or each["backend_name"], "op": each["op"] or each["backend_op"],
                 "seconds": each["ms"]["median"] / 1e3, "flops": each.get("flops"), "bytes": each.get("bytes")}
                for each in self.measured["nodes"]]
        whole = sum(row["seconds"] for row in rows) or 1.0
        return sorted(({**row, "share": row["seconds"] / whole} for row in rows), key=lambda row: -row["seconds"])

    def draw(self, **options: Any) -> cutaway.Drawing:
        """The graph, coloured by the time of its nodes; options are those of Model.draw()."""
        rows = [{"name": part["name"], "milliseconds": each["ms"]["median"]}
                for each in self.measured["nodes"] for part in each.get("parts", [each])]  # fused ones have the time of all
        return self.model.draw(data=rows, colour_by="data.milliseconds", **options)

    def page(self) -> cutaway.Page:
        """The interactive page, coloured by the measured time, at the measured sizes."""
        inputs = {each["name"]: (tuple(each["shape"]), each["dtype"]) for each in self.measured.get("inputs", [])}
        return self.model.page(inputs=inputs, profile=self.measured)

    def __str__(self) -> str:
        rows = self.to_dicts()
        lines = [f"{'time':>10}  {'share':>6}  node"]
        lines += [f"{_time(row['seconds']):>10}  {row['share']:6.1%}  {row['name']}  {row['op']}" for row in rows[:SHOWN]]
        if len(rows) > SHOWN:
            lines.append(f"and {len(rows) - SHOWN} more")
        return "\n".join([*lines, f"a run takes {_time(self.seconds)}; {self.backend}"])

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><td>{_time(row['seconds'])}</td><td>{row['share']:.1%}</td><td>{html.escape(row['name'])}</td>"
                       f"<td>{html.escape(row['op'])}</td></tr>" for row in self.to_dicts()[:SHOWN])
        try:
            picture = self.page()._repr_html_() if len(self.model.graph) <= LARGEST else ""
        except cutaway.Error:
            picture = ""
        head = "".join(f"<th>{name}</th>" for name in ("time", "share", "node", "operator"))
        return (f"<p>A run takes {_time(self.seconds)}; {html.escape(self.backend)}</p>"
                f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{picture}")


def _time(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def profile(model: Any, args: tuple[Any, ...], kwargs: dict[str, Any], dynamic_shapes: Any, backend: str, device: str,
            limit: float, program: str) -> Profile:
    """Writes the model and its example inputs into files, and has the command line measure it."""
    if shutil.which(program) is None:
        raise error("backend", f"the program '{program}' is not installed; program= says where it is")
    with tempfile.TemporaryDirectory(prefix=files.PREFIX) as folder:
        file = files.shown_file_of(model, files.Call(args, kwargs, dynamic_shapes), folder)
        if os.path.dirname(file) == folder:
            opened = cutaway._open_saved(file, os.path.basename(file))
        else:
            opened = cutaway.open(file)
        command = [program, "profile", file, "--json", "--seconds", str(limit)]
        if name := backend or ("" if opened.format == "onnx" else "torch-python"):
            command += ["--backend", name]
        if device:
            command += ["--device", device]
        return Profile(opened, _measured(command + _inputs(opened, args, kwargs, folder)))


def _measured(command: list[str]) -> dict[str, Any]:
    # The Python of plugins is this one, unless another one is named.
    environment = {"CUTAWAY_PYTHON": sys.executable, **os.environ}
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", env=environment, check=False)
    if done.returncode != 0:
        raise error("backend", done.stderr.strip().removeprefix(PREFIX) or f"{command[0]} ended with code {done.returncode}")
    measured: dict[str, Any] = json.loads(done.stdout)
    return measured


def _inputs(model: cutaway.Model, args: tuple[Any, ...], kwargs: dict[str, Any], folder: str) -> list[str]:
    """The example inputs as options, in the order of the model's inputs."""
    if not (args or kwargs):
        return []
    leaves = [leaf for leaf in _leaves(args, kwargs) if leaf is not None]
    names = [value.name for value in model.graph.inputs]
    if len(leaves) != len(names):  # constants of the program are none of its inputs
        leaves = [leaf for leaf in leaves if hasattr(leaf, "dtype")]
    if len(leaves) != len(names):
        raise error("usage", f"the model has {len(names)} inputs, and {len(leaves)} example inputs were given")
    options: list[str] = []
    for i, (name, leaf) in enumerate(zip(names, leaves)):
        if (text := _text_of(leaf, os.path.join(folder, f"input{i}"))) is not None:
            options += ["--input", f"{name}={text}"]
    return options


def _leaves(args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
    torch = sys.modules.get("torch")
    return [*args, *kwargs.values()] if torch is None else list(torch.utils._pytree.tree_leaves((args, kwargs)))


def _text_of(leaf: Any, file: str) -> Optional[str]:
    """How the command line takes an input; None where it is left to chance, as what has no elements."""
    torch, numpy = sys.modules.get("torch"), sys.modules.get("numpy")
    if torch is not None and isinstance(leaf, torch.Tensor):
        if leaf.is_meta:
            return None
        torch.save(leaf.detach().cpu().contiguous().clone(), f"{file}.pt")
        return f"@{file}.pt"
    if numpy is not None and isinstance(leaf, numpy.ndarray):
        numpy.save(f"{file}.npy", leaf)
        return f"@{file}.npy"
    if isinstance(leaf, bool):
        return None
    if isinstance(leaf, numbers.Number):
        return str(leaf)
    raise error("usage", f"a {type(leaf).__name__} is no input that can be measured with; expected tensors, arrays and numbers")
