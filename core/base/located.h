// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

namespace cutaway {

/// Prefixes the location of the error in `result`, see Error::in(): `CUTAWAY_TRY(auto all, located(path,
/// read(path)));`.
template <class T>
Result<T> located(std::string outer, Result<T> result)
{
    if (!result)
        result.error() = result.error().in(std::move(outer));
    return result;
}

/// Appends a note to the location of the error in `result`, see Error::noting(); "" appends nothing.
template <class T>
Result<T> noted(std::string note, Result<T> result)
{
    if (!result && !note.empty())
        result.error() = result.error().noting(std::move(note));
    return result;
}

} // namespace cutaway
