// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <nanobind/nanobind.h>

namespace cutaway::python {

namespace nb = nanobind;

/// Declares cutaway.Error.
void bindError(nb::module_ &module);

/// Raises a cutaway.Error with the sentence that the command line prints: "FILE: message (where)". `reproducer`: of a
/// failed pass, as JSON.
[[noreturn]] void raise(const Error &error, const std::string &file = {}, const std::string &reproducer = {});

/// The value, or the error raised.
template <class T>
T valueOrRaise(Result<T> result, const std::string &file = {})
{
    if (!result)
        raise(result.error(), file);
    if constexpr (!std::is_void_v<T>)
        return std::move(*result);
}

} // namespace cutaway::python
