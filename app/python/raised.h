// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <nanobind/nanobind.h>

namespace cutaway::python {

namespace nb = nanobind;

/// Declares the exception cutaway.Error.
void bindError(nb::module_ &module);

/// Raises a cutaway.Error with the sentence that the command line would print: "FILE: message (where)". `reproducer` is
/// that of a failed pass, as JSON.
[[noreturn]] void raise(const Error &error, const std::string &file = {}, const std::string &reproducer = {});

/// Returns the value of a result, or raises its error.
template <class T>
T valueOrRaise(Result<T> result, const std::string &file = {})
{
    if (!result)
        raise(result.error(), file);
    if constexpr (!std::is_void_v<T>)
        return std::move(*result);
}

} // namespace cutaway::python
