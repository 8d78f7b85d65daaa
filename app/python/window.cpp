// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/python/window.h"

#include "app/python/beside.h"

#include <nanobind/stl/string.h>

namespace cutaway::python {

void bindWindow(nb::module_ &module)
{
    module.def(
        "show",
        [](const nb::object &model, const std::string &program, bool wait) -> nb::object {
            return moduleBeside("cutaway_window").attr("show")(model, program, wait);
        },
        nb::arg("model"), nb::kw_only(), nb::arg("program") = "cutaway", nb::arg("wait") = false,
        nb::sig("def show(model: typing.Any, *, program: str = 'cutaway', wait: bool = False) -> typing.Any"),
        "Opens Cutaway's window on a path, a Model, an exported program, a ScriptModule, or an ONNX ModelProto.\n"
        "Objects of torch and ONNX are saved into a temporary folder, which goes with the window. Raises Error if\n"
        "the program is not installed or ends at once.");
}

} // namespace cutaway::python
