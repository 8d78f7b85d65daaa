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

/// The function, bindings and inputs that a user names, as texts in the form of the command line.
struct RequestTexts {
    std::string function;
    std::vector<std::string> bindings;
    std::vector<std::string> inputs;
};

/// Returns Python arguments as texts: bind={"s0": 8} and inputs={"x": (8, 3, 224, 224), "y": ((2, 3), "float16"), "n":
/// 3, "pads": [0, 1], "z": "@z.npy"}. A tuple is a shape, a list has elements, and a text is as on the command line. An
/// object with a shape and a dtype gives these two. A shape without a dtype gets that of the file. Raises an error for
/// other values, and for a shape if the file has no dtype either.
RequestTexts requestTexts(const SharedModel &model, const std::string &function, const nb::handle &bind,
                          const nb::handle &inputs);

/// A copy of a model, with the function and the values that a RequestTexts names.
struct Prepared {
    ir::Model model;
    ir::FunctionId function;
    request::GivenValues given;

    std::optional<ir::FunctionId> namedFunction(const RequestTexts &texts) const
    {
        return texts.function.empty() ? std::nullopt : std::optional(function);
    }
};

/// Copies the model and reads the texts. Precondition: the caller holds a ContextLock. Errors: those of
/// request::findFunction() and request::readGiven().
Result<Prepared> prepare(const SharedModel &model, const RequestTexts &texts);

/// Returns the device of this id; nothing for "". Errors: those of analysis::findDevice().
Result<std::optional<analysis::Device>> deviceOf(const std::string &id);

} // namespace cutaway::python
