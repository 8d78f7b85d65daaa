// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <exception>
#include <type_traits>

namespace cutaway::formats {

/// Thrown by the parts of a reader or writer if the file cannot be read or written at all. It never leaves a library:
/// resultOf() turns it into a Result in the functions that other libraries call.
struct Unusable : std::exception {
    explicit Unusable(Error e) : error(std::move(e)) { }
    Error error;
};

[[noreturn]] inline void unusable(std::string message, std::string where = {})
{
    throw Unusable({ErrorKind::Unreadable, std::move(message), std::move(where)});
}

/// Throws Unusable for something that the format cannot express. Writers use it.
[[noreturn]] inline void unwritable(std::string message, std::string where = {})
{
    throw Unusable({ErrorKind::Usage, std::move(message), std::move(where)});
}

/// Returns the value of a result, or throws its error as Unusable.
template <class T>
T orThrow(Result<T> result)
{
    if (!result)
        throw Unusable(std::move(result.error()));
    if constexpr (!std::is_void_v<T>)
        return std::move(*result);
}

/// Runs `work` and returns its result, or the error that it throws.
template <class Work>
Result<std::invoke_result_t<Work>> resultOf(Work &&work)
{
    try {
        if constexpr (std::is_void_v<std::invoke_result_t<Work>>) {
            work();
            return {};
        } else {
            return work();
        }
    } catch (Unusable &unusable) {
        return std::unexpected(std::move(unusable.error));
    }
}

} // namespace cutaway::formats
