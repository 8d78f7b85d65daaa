// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/python/request.h"
#include "core/convert/convert.h"

namespace cutaway::python {

/// Declares Conversion and convert().
void bindConversion(nb::module_ &module);

/// Makes a model of another format of a function of the model, "onnx" or "pt2"; a Conversion.
nb::object converted(const SharedModel &model, const RequestTexts &texts, const std::string &format, std::int64_t opset,
                     bool keepsUnknown);

} // namespace cutaway::python
