# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What other programs make of an ONNX model: ONNX Runtime at its levels, onnxoptimizer pass by pass.

Passes of onnxscript run by themselves, as those of torch do; hooks.py sees them.
"""
from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Optional, Union

from cutaway_record.models import onnx_bytes
from cutaway_record.onnx_files import external_files

if TYPE_CHECKING:
    from cutaway_record.recorder import Recorder

DISABLED = "disabled"
EXTERNAL = "session.optimized_model_external_initializers_file_name"
LARGE = 1 << 30  # bytes of a model whose weights have to lie outside of it: no message of protobuf has more than 2 GiB


def add_runtime_levels(recorder: Recorder, model: Any, levels: list[str], providers: list[str]) -> None:
    import onnxruntime
    kinds = {level: _level(onnxruntime, level) for level in levels}  # a wrong name is told before anything is done
    recorder.add(model, "as given")
    for level, kind in kinds.items():
        _add_level(recorder, onnxruntime, model, level, kind, providers)


def _level(onnxruntime: Any, level: str) -> Any:
    known = onnxruntime.GraphOptimizationLevel
    kind = getattr(known, "ORT_DISABLE_ALL" if level == DISABLED else f"ORT_ENABLE_{level.upper()}", None)
    if kind is None:
        names = [DISABLED, *(name[len("ORT_ENABLE_"):].lower() for name in dir(known) if name.startswith("ORT_ENABLE_"))]
        raise ValueError(f"ONNX Runtime has no level '{level}'; it has {', '.join(names)}")
    return kind


def _add_level(recorder: Recorder, onnxruntime: Any, model: Any, level: str, kind: Any, providers: list[str]) -> None:
    given = os.fspath(model) if isinstance(model, (str, os.PathLike)) else onnx_bytes(model)
    weights, size = _external_weights(given)
    destination = recorder.new_file(level, ".onnx", with_others=weights is not None or size >= LARGE)
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = kind
    options.optimized_model_filepath = destination
    options.log_severity_level = 3  # else it warns that the file may fit this machine alone
    if size >= LARGE:
        options.add_session_config_entry(EXTERNAL, "model.data")
    start = time.perf_counter()
    onnxruntime.InferenceSession(given, options, providers=providers)
    seconds = round(time.perf_counter() - start, 6)
    with open(destination, "rb") as file:
        written = file.read()
    notes = [f"for {', '.join(providers)}", *recorder.copy_weights(written, weights, destination)]
    fields = {"seconds": seconds, "notes": notes, "source": f"ONNX Runtime {onnxruntime.__version__}"}
    recorder.write_file(level, destination, fields, hashlib.sha256(written).digest())


def _external_weights(given: Union[str, bytes]) -> tuple[Optional[str], int]:
    """The folder that has a model's external weights, if it has any, and the bytes of model and weights."""
    if isinstance(given, bytes):
        return None, len(given)
    folder = os.path.dirname(os.path.abspath(given))
    with open(given, "rb") as file:
        names = external_files(file.read())
    sizes = [os.path.getsize(os.path.join(folder, name)) for name in names]
    return (folder if names else None), os.path.getsize(given) + sum(sizes)


def add_onnxoptimizer_passes(recorder: Recorder, model: Any, passes: Optional[Iterable[str]]) -> Any:
    import onnxoptimizer
    recorder.add(model, "as given")
    for name in onnxoptimizer.get_fuse_and_elimination_passes() if passes is None else passes:
        model = recorder.watch(onnxoptimizer.optimize, name)(model, [name])
    return model
