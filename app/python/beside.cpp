// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/python/beside.h"

#include <nanobind/stl/string.h>

namespace cutaway::python {

nb::module_ moduleBeside(const std::string &name)
{
    try {
        return nb::module_::import_(name.c_str());
    } catch (nb::python_error &error) {
        if (!error.matches(PyExc_ModuleNotFoundError))
            throw;
        raise({ErrorKind::Backend,
               "the package '" + name.substr(0, name.find('.')) + "', which stands beside this module, is not there: "
                   + nb::cast<std::string>(nb::str(error.value())),
               {}});
    }
}

void bindRecording(nb::module_ &module)
{
    module.def(
        "record",
        [](const nb::object &path) -> nb::object { return moduleBeside("cutaway_record").attr("record")(path); },
        nb::arg("path"), nb::sig("def record(path: str | os.PathLike[str]) -> typing.Any"),
        "Records what passes of torch, onnxscript and ONNX Runtime do to models, in a 'with' block:\n"
        "'with cutaway.record(\"steps.cutaway\") as r:'. Passes that run in it become steps; r.add(model, name) adds\n"
        "others. A recording that is there is replaced. It imports neither torch nor onnx.");
}

} // namespace cutaway::python
