// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/python/request.h"
#include "core/convert/convert.h"

namespace cutaway::python {

/// Declares the class Conversion and the function convert().
void bindConversion(nb::module_ &module);

/// Converts a function of the model to `format`, "onnx" or "pt2", and returns a Conversion.
nb::object converted(const SharedModel &model, const RequestTexts &texts, const std::string &format, std::int64_t opset,
                     bool keepsUnknown);

} // namespace cutaway::python
