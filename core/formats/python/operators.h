// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace cutaway::formats::python {

/// Returns the function of Python's module `operator` that computes an operator: "truediv" for "/". It is never one
/// that works in place, such as "iadd". An operator without a function is returned as it is.
std::string_view operatorFunction(std::string_view op, bool isUnary);

/// Returns the function that computes an operator in place: "iadd" for "+", "iand" for "&".
std::string inPlaceFunction(std::string_view op);

} // namespace cutaway::formats::python
