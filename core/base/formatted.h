// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <format>
#include <string>
#include <string_view>

namespace cutaway {

/// Returns std::vformat(format, arguments); it is not inline.
std::string formattedFrom(std::string_view format, std::format_args arguments);

/// Returns std::format(format, arguments...). std::format itself would compile its formatters again in each source
/// that calls it (two seconds and 80 KB of code each).
template <class... Arguments>
std::string formatted(std::format_string<Arguments...> format, Arguments &&...arguments)
{
    return formattedFrom(format.get(), std::make_format_args(arguments...));
}

} // namespace cutaway
