// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/python/raised.h"
#include "app/python/shared_model.h"
#include "core/analysis/device.h"
#include "core/request/given.h"

#include <optional>
#include <vector>

namespace cutaway::python {

/// The function, bindings and inputs that a user names, in the texts that the command line takes.
struct RequestTexts {
    std::string function;
    std::vector<std::string> bindings;
    std::vector<std::string> inputs;
};

/// Makes the texts of Python arguments: bind={"s0": 8} and inputs={"x": (8, 3, 224, 224), "y": ((2, 3), "float16"),
/// "n": 3, "pads": [0, 1], "z": "@z.npy"}. A tuple is a shape, a list elements, a text as on the command line; any
/// object with a shape and a dtype stands for these two. A shape without a dtype has that of the file. Raises an error
/// for other values, and where the file does not say the dtype.
RequestTexts requestTexts(const SharedModel &model, const std::string &function, const nb::handle &bind,
                          const nb::handle &inputs);

/// A copy of a model, with the function and the values that RequestTexts name.
struct Prepared {
    ir::Model model;
    ir::FunctionId function;
    request::GivenValues given;

    std::optional<ir::FunctionId> namedFunction(const RequestTexts &texts) const
    {
        return texts.function.empty() ? std::nullopt : std::optional(function);
    }
};

/// Precondition: the caller holds a ContextLock. Errors: those of request::findFunction() and request::readGiven().
Result<Prepared> prepare(const SharedModel &model, const RequestTexts &texts);

/// Returns nothing for "". Errors: those of analysis::findDevice().
Result<std::optional<analysis::Device>> deviceOf(const std::string &id);

} // namespace cutaway::python
