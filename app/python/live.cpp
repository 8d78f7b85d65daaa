// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/python/live.h"

#include "app/python/beside.h"

#include <nanobind/stl/string.h>

namespace cutaway::python {

namespace {

nb::object live(const char *name) { return moduleBeside("cutaway_live").attr(name); }

nb::object show(const nb::object &model, const nb::args &args, const nb::object &dynamicShapes, const nb::object &trace,
                const nb::object &program, bool wait, const nb::kwargs &kwargs)
{
    return live("show")(model, args, kwargs, dynamicShapes, trace, program, wait);
}

nb::object compare(const nb::object &before, const nb::object &after, const nb::args &args,
                   const nb::object &dynamicShapes, const nb::object &program, bool wait, const nb::kwargs &kwargs)
{
    return live("compare")(before, after, args, kwargs, dynamicShapes, program, wait);
}

nb::object profile(const nb::object &model, const nb::args &args, const nb::object &dynamicShapes,
                   const nb::object &backend, const nb::object &device, double seconds, const nb::object &program,
                   const nb::kwargs &kwargs)
{
    return live("profile")(model, args, kwargs, dynamicShapes, backend, device, seconds, program);
}

} // namespace

void bindLive(nb::module_ &module)
{
    module.def(
        "show", show, nb::arg().none(), nb::arg("args"), nb::arg("dynamic_shapes") = nb::none(),
        nb::arg("trace") = nb::none(), nb::arg("program") = "cutaway", nb::arg("wait") = false, nb::arg("kwargs"),
        nb::sig("def show(model: typing.Any, /, *args: typing.Any, dynamic_shapes: typing.Any = None, trace: "
                "typing.Any = None, program: str = 'cutaway', wait: bool = False, **kwargs: typing.Any) -> typing.Any"),
        "Shows what open() opens, or how far its export came, in Cutaway's window: in a tab of the one that is open,\n"
        "or in a new one; with the times of trace, the path of a recorded run of it. Temporary files go with the tab. "
        "Raises Error if the program is not installed or ends at\n"
        "once.");
    module.def(
        "compare", compare, nb::arg().none(), nb::arg().none(), nb::arg("args"), nb::arg("dynamic_shapes") = nb::none(),
        nb::arg("program") = "cutaway", nb::arg("wait") = false, nb::arg("kwargs"),
        nb::sig("def compare(before: typing.Any, after: typing.Any, /, *args: typing.Any, dynamic_shapes: typing.Any = "
                "None, program: str = 'cutaway', wait: bool = False, **kwargs: typing.Any) -> typing.Any"),
        "Shows two models beside each other, with their differences. Both are exported with the same inputs.");
    module.def(
        "profile", profile, nb::arg().none(), nb::arg("args"), nb::arg("dynamic_shapes") = nb::none(),
        nb::arg("backend") = "", nb::arg("device") = "", nb::arg("seconds") = 1.0, nb::arg("program") = "cutaway-cli",
        nb::arg("kwargs"),
        nb::sig("def profile(model: typing.Any, /, *args: typing.Any, dynamic_shapes: typing.Any = None, backend: str "
                "= '', device: str = '', seconds: float = 1.0, program: str = 'cutaway-cli', **kwargs: typing.Any) -> "
                "typing.Any"),
        "Measures the time of each node of what open() opens, with these inputs: models of torch with the torch of "
        "this\n"
        "Python, ONNX with ONNX Runtime, or with backend, for at most so many seconds without and with timed nodes.");
    module.def(
        "__getattr__",
        [](const std::string &name) -> nb::object {
            if (name != "ExportFailure")
                throw nb::attribute_error(("module 'cutaway' has no attribute '" + name + "'").c_str());
            return live(name.c_str());
        },
        nb::arg("name"));
}

} // namespace cutaway::python
