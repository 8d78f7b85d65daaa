# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Loaded models: programs whose nodes can be watched, and TorchScript, which runs as a whole."""
from __future__ import annotations

import io
import re
import sys
from collections.abc import Sequence
from typing import Any, Optional, Protocol, Union

from cutaway_torch.wire import INVALID_PARAMS, UNREADABLE, Failure, Request


LONGEST = 160  # limit of characters in an error's text
COMPILER_ERROR = re.compile(r":\d+: (?:fatal )?error: ")


class Observer(Protocol):
    """Is called before and after each node that computes something."""

    def before(self, node: Any) -> None: ...
    def after(self, node: Any, value: Any) -> None: ...


def first_line(error: BaseException) -> str:
    """Returns the line of an error that says what is wrong. In errors of TorchScript or of a compiler it comes after a
    trace."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    for line in lines:
        if COMPILER_ERROR.search(line):
            return line.strip()
    if "Traceback" in lines[0]:
        raised = [line.partition("Error: ")[2] for line in lines if "Error: " in line]
        return raised[-1] if raised else lines[-1]
    return lines[1] if lines[0].endswith("raised:") and len(lines) > 1 else lines[0]


def reason(error: BaseException) -> str:
    """Returns the messages of an error and of its cause: if torch cannot read a part of a node, it prints all of it."""
    said = first_line(error)
    shown = said if len(said) <= LONGEST else said[:LONGEST] + "…"
    return shown if error.__cause__ is None else f"{shown} ({reason(error.__cause__)})"


def is_item(node: Any) -> bool:
    """Whether the node only takes one of several results of another: files name the results themselves."""
    source = node.args[0] if node.args else None
    return (getattr(node.target, "__name__", "") == "getitem" and getattr(source, "op", "") == "call_function"
            and isinstance(source.meta.get("val"), (list, tuple)))


def result_name(node: Any) -> str:
    """Returns the name of the node's result in the file: its own, or that of its first result if it has several."""
    return next((user.name for user in node.users if is_item(user)), node.name)


def operator_name(node: Any) -> str:
    target = node.target
    schema = getattr(target, "_schema", None)
    if schema is not None:
        return str(schema.name).rpartition("::")[2]
    return target if isinstance(target, str) else str(getattr(target, "__name__", target))


class Program:
    """A graph of torch.fx with the values of its first inputs. An output without a name is not returned."""

    engine: Optional[str] = None

    def __init__(self, torch: Any, module: Any, bound: dict[str, Any], constants: dict[str, Any],
                 outputs: Sequence[Optional[str]], device: Any) -> None:
        self._torch, self._module, self._bound, self._constants = torch, module, bound, constants
        self.device, self.backend = device, f"PyTorch {torch.__version__} of {sys.executable}"
        self._places = [node.name for node in module.graph.nodes if node.op == "placeholder"]
        self.inputs = [name for name in self._places if name not in bound]
        self.nodes = [node for node in module.graph.nodes if node.op.startswith("call_") and not is_item(node)]
        self._whole = module
        self._kept = [i for i, name in enumerate(outputs) if name is not None]
        self.outputs = [name for name in outputs if name is not None]

    def compile(self) -> None:
        """Makes run_whole() run what torch.compile makes of the graph from now on."""
        self.engine = "torch.compile"
        self._whole = self._torch.compile(self._module)
        self.backend = f"torch.compile, {self.backend}"

    def arguments(self, given: Sequence[tuple[str, Any]]) -> list[Any]:
        """Returns all inputs in order. Given ones are assigned by name if the names are the model's, else in order."""
        wanted = self.inputs
        if len(given) == len(wanted) - len(self._constants):
            wanted = [name for name in wanted if name not in self._constants]
        if len(given) != len(wanted):
            raise Failure(f"the model has {len(wanted)} inputs, and {len(given)} were given", INVALID_PARAMS)
        named = dict(given)
        values = {name: named.get(name, given[i][1]) for i, name in enumerate(wanted)}
        return [self._bound[name] if name in self._bound else values.get(name, self._constants.get(name))
                for name in self._places]

    def run_whole(self, arguments: list[Any]) -> list[Any]:
        try:
            with self._torch.no_grad():
                return self._outputs(self._whole(*arguments))
        except Exception as error:
            raise Failure((f"{self.engine} failed: " if self.engine else "") + first_line(error)) from None

    def run_eager(self, arguments: list[Any]) -> list[Any]:
        """Runs the graph as a whole, without an engine."""
        with self._torch.no_grad():
            return self._outputs(self._module(*arguments))

    def run(self, arguments: list[Any], request: Request, observers: Sequence[Observer] = ()) -> list[Any]:
        """Runs node by node."""
        stepped = stepped_run(self._torch, self._module, request, observers)
        try:
            with self._torch.no_grad():
                return self._outputs(stepped.run(*arguments))
        except Failure:
            raise
        except Exception as error:
            at = stepped.current
            raise Failure(first_line(error) + (f" ({operator_name(at)} '{result_name(at)}')" if at else "")) from None

    def _outputs(self, returned: Any) -> list[Any]:
        everything = list(returned) if isinstance(returned, (tuple, list)) else [returned]
        return [everything[i] for i in self._kept]


def stepped_run(torch: Any, module: Any, request: Request, observers: Sequence[Observer]) -> Any:
    class Stepped(torch.fx.Interpreter):  # type: ignore[misc]
        current: Optional[Any] = None

        def run_node(self, node: Any) -> Any:
            if not node.op.startswith("call_"):
                return super().run_node(node)
            request.check()
            self.current = node
            arguments, named = self.fetch_args_kwargs_from_env(node)
            call = getattr(self, node.op)
            for observer in observers:
                observer.before(node)
            value = call(node.target, arguments, named)
            for observer in observers:
                observer.after(node, value)
            return value

    return Stepped(module)


class Script:
    """A model of TorchScript, run by torch's own interpreter."""

    engine: Optional[str] = None
    outputs = ["output"]
    nodes: list[Any] = []

    def __init__(self, torch: Any, module: Any, device: Any) -> None:
        self._torch, self._module, self.device = torch, module, device
        self.backend = f"TorchScript, PyTorch {torch.__version__} of {sys.executable}"
        self._schema = module.forward.schema.arguments[1:]
        self.inputs = [argument.name for argument in self._schema]

    def compile(self) -> None:
        raise Failure("torch.compile takes exported programs and modules of torch.fx, not TorchScript", INVALID_PARAMS)

    def arguments(self, given: Sequence[tuple[str, Any]]) -> list[Any]:
        if len(given) != len(self.inputs):
            raise Failure(f"the model has {len(self.inputs)} inputs, and {len(given)} were given", INVALID_PARAMS)
        named = dict(given)
        return [self._as_wanted(named.get(argument.name, given[i][1]), argument.type)
                for i, argument in enumerate(self._schema)]

    def _as_wanted(self, value: Any, wanted: Any) -> Any:
        kind = wanted.kind()
        if kind == "OptionalType":
            return None if value is None else self._as_wanted(value, wanted.getElementType())
        if kind == "FloatType" and isinstance(value, int):
            return float(value)
        if kind == "DeviceObjType" and isinstance(value, str):
            return self._torch.device(value)
        if kind == "TupleType" and isinstance(value, (list, tuple)):
            return tuple(self._as_wanted(item, each) for item, each in zip(value, wanted.elements()))
        if kind == "ListType" and isinstance(value, (list, tuple)):
            return [self._as_wanted(item, wanted.getElementType()) for item in value]
        return value

    def run_whole(self, arguments: list[Any]) -> list[Any]:
        # Kernels that torch fuses for a processor take minutes to compile, and their numbers differ.
        self._torch._C._jit_set_texpr_fuser_enabled(self.device.type == "cuda")
        try:
            with self._torch.no_grad():
                return [self._module(*arguments)]
        except Exception as error:
            raise Failure(f"{first_line(error)} (TorchScript's interpreter)") from None

    def run(self, arguments: list[Any], request: Request, observers: Sequence[Observer] = ()) -> list[Any]:
        request.check()
        return self.run_whole(arguments)


Model = Union[Program, Script]


def device_named(torch: Any, name: str) -> Any:
    try:
        device = torch.device(name or "cpu")
    except RuntimeError:
        raise Failure(f"torch has no device '{name}'; 'cutaway-cli devices' lists what there is", INVALID_PARAMS) from None
    module = getattr(torch, device.type, None)
    if device.type not in ("cpu", "meta") and not (module is not None and module.is_available()):
        raise Failure(f"this torch sees no device '{name}'; 'cutaway-cli devices' lists what there is", INVALID_PARAMS)
    return device


def load(torch: Any, params: dict[str, Any], payload: bytes, settings: dict[str, Any]) -> Model:
    device = device_named(torch, params.get("device", ""))
    for library in params.get("libraries", []):
        torch.ops.load_library(library)
    if params.get("threads"):
        torch.set_num_threads(params["threads"])
    loaders = {"pt2": _load_exported, "torchscript": _load_script, "fx": _load_pickle}
    loader = loaders.get(params.get("form", ""))
    if loader is None:
        raise Failure(f"torch-python runs no files of the format '{params.get('form')}'", INVALID_PARAMS)
    try:
        model: Model = loader(torch, params.get("path") or io.BytesIO(payload), device, settings)
    except Failure:
        raise
    except Exception as error:
        kind = OperatorMissing if is_missing_operator(error) else Failure
        raise kind(f"torch {torch.__version__} cannot load it: {reason(error)}{advice(error)}", UNREADABLE) from None
    if params.get("engine") == "compile":
        model.compile()
    return model


class OperatorMissing(Failure):
    """Raised if no loaded library has an operator of the model."""


def is_missing_operator(error: Optional[BaseException]) -> bool:
    marks = "_OpNamespace", "Unknown builtin op", "Unsupported target type"
    return error is not None and (any(mark in str(error) for mark in marks) or is_missing_operator(error.__cause__))


def advice(error: BaseException) -> str:
    """Returns advice if operators are missing, or the file is of a later version."""
    if "no item named 'version' in the archive" in str(error):
        return "; a newer torch wrote it: name that one's Python with --python"
    if is_missing_operator(error):
        return '; name the package that registers this operator under "import" in the settings of plugin.json, or use --library'
    return ""


def _load_exported(torch: Any, source: Any, device: Any, _: dict[str, Any]) -> Program:
    program = torch.export.load(source)
    if device.type != "cpu":
        from torch.export.passes import move_to_device_pass
        program = move_to_device_pass(program, device)
    bound, constants = {}, {}
    for spec in program.graph_signature.input_specs:
        if spec.kind.name == "USER_INPUT":
            if hasattr(spec.arg, "value"):
                constants[spec.arg.name] = spec.arg.value
        elif spec.kind.name == "TOKEN":
            bound[spec.arg.name] = torch.empty(0, device=device)
        else:
            holder = program.state_dict if spec.target in program.state_dict else program.constants
            bound[spec.arg.name] = holder[spec.target]
    # The new values of buffers and inputs are among the outputs, as in the graph that Cutaway shows.
    outputs = [None if spec.kind.name == "TOKEN" else spec.arg.name for spec in program.graph_signature.output_specs]
    return Program(torch, program.graph_module, bound, constants, outputs, device)


def _load_script(torch: Any, source: Any, device: Any, _: dict[str, Any]) -> Script:
    return Script(torch, torch.jit.load(source, map_location=device).eval(), device)


def _load_pickle(torch: Any, source: Any, device: Any, settings: dict[str, Any]) -> Program:
    if not settings.get("run_pickles"):
        raise Failure('a module of torch.fx is a pickle, which may run any code when it is loaded; if you trust your files, '
                      'copy this plugin and set "run_pickles": true in the settings of its plugin.json', INVALID_PARAMS)
    module = torch.load(source, map_location=device, weights_only=False)
    if not isinstance(module, torch.fx.GraphModule):
        raise Failure(f"the file has a {type(module).__name__}, where a torch.fx.GraphModule is wanted", UNREADABLE)
    returned = next(node for node in module.graph.nodes if node.op == "output").args[0]
    parts = returned if isinstance(returned, (tuple, list)) else [returned]
    outputs = [getattr(part, "name", f"output {i}") for i, part in enumerate(parts)]
    return Program(torch, module.eval(), {}, {}, outputs, device)
