# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Answers the requests of the plugin's protocol."""
from __future__ import annotations

import itertools
import os
import sys
import time
from typing import Any, Optional

from cutaway_torch import environment, machine, models, profiling, values
from cutaway_torch.wire import INVALID_PARAMS, Answer, Failure, Request, Server

PROTOCOL = 1


class Kept:
    """Keeps the requested values of nodes as they are when they are made."""

    def __init__(self, torch: Any, names: list[str]) -> None:
        self._torch = torch
        self.found = dict.fromkeys(names)
        self._missing = set(names)

    def before(self, node: Any) -> None:
        pass

    def after(self, node: Any, value: Any) -> None:
        if node.name in self._missing:
            self._missing.remove(node.name)
            self.found[node.name] = value.detach().clone() if isinstance(value, self._torch.Tensor) else value

    def check(self) -> None:
        for name in sorted(self._missing):
            raise Failure(f"no node of the program makes '{name}'", INVALID_PARAMS)


class Plugin:
    def __init__(self) -> None:
        self._settings: dict[str, Any] = {}
        self._module: Optional[Any] = None
        self._models: dict[int, models.Model] = {}
        self._numbers = itertools.count(1)
        self.handlers = {"initialize": self.initialize, "shutdown": lambda request: ({}, b""), "devices": self.devices,
                         "load": self.load, "run": self.run, "profile": self.profile, "unload": self.unload}

    def initialize(self, request: Request) -> Answer:
        self._settings = request.params.get("settings") or {}
        return {"protocol": PROTOCOL, "name": "torch-python", "version": environment.version()}, b""

    def devices(self, request: Request) -> Answer:
        return {"devices": machine.devices(self._torch())}, b""

    def load(self, request: Request) -> Answer:
        model = self._loaded(request)
        number = next(self._numbers)
        self._models[number] = model
        return {"model": number, "backend": model.backend, "inputs": model.inputs, "outputs": model.outputs}, b""

    def _loaded(self, request: Request) -> models.Model:
        """Loads a model. Packages with operators are imported only if it cannot be loaded without: that may take
        seconds."""
        torch = self._torch()
        try:
            return models.load(torch, request.params, request.payload, self._settings)
        except models.OperatorMissing:
            faults = environment.import_operators(self._settings.get("import", []))
        try:
            return models.load(torch, request.params, request.payload, self._settings)
        except Failure as failure:
            raise Failure("; ".join([str(failure), *faults]), failure.code) from None

    def run(self, request: Request) -> Answer:
        torch, model = self._torch(), self._model(request)
        arguments = self._arguments(model, request)
        names = request.params.get("values", [])
        if names and (model.engine or not model.nodes):
            runs = model.engine or "TorchScript's interpreter"
            raise Failure(f"{runs} does not show values of nodes; the backends torch and torch-python of a .pt2 do",
                          INVALID_PARAMS)
        kept = Kept(torch, names)
        torch.manual_seed(0)  # random numbers are then the same in every run
        start = time.perf_counter()
        if model.engine:
            results = model.run_whole(arguments)
        else:
            results = model.run(arguments, request, [kept] if names else [])
        profiling.synchronize(torch, model.device)
        seconds = time.perf_counter() - start
        kept.check()
        outputs = values.Outputs(torch)
        for name, value in itertools.chain(zip(model.outputs, results), ((name, kept.found[name]) for name in names)):
            outputs.add(name, value)
        return {"outputs": outputs.described, "seconds": seconds}, bytes(outputs.payload)

    def profile(self, request: Request) -> Answer:
        torch, model = self._torch(), self._model(request)
        result = profiling.profile(torch, model, self._arguments(model, request), request)
        result["peak_bytes"] = machine.peak_memory()
        result["conditions"] = machine.conditions(torch, model.device, result.pop("optimization", "none"))
        return result, b""

    def unload(self, request: Request) -> Answer:
        self._model(request)
        del self._models[request.params["model"]]
        return {}, b""

    def _torch(self) -> Any:
        if self._module is None:
            self._module = environment.torch()
        return self._module

    def _model(self, request: Request) -> models.Model:
        model = self._models.get(request.params.get("model", 0))
        if model is None:
            raise Failure(f"there is no model {request.params.get('model')}", INVALID_PARAMS)
        return model

    def _arguments(self, model: models.Model, request: Request) -> list[Any]:
        given = [(each["name"], values.input_value(self._torch(), each, request.payload, model.device))
                 for each in request.params.get("inputs", [])]
        return model.arguments(given)


def main() -> None:
    environment.become_one_with_torch(["-B", *sys.argv])
    stdout = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # the output of libraries must not get into the messages
    Server(sys.stdin.buffer, stdout, Plugin().handlers).serve()
    os._exit(0)  # the thread that waits for input would keep the interpreter from ending
