// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cutaway::request {

/// Returns the integer that the whole text is; nothing if it is none.
std::optional<std::int64_t> parseInteger(std::string_view text);

/// Splits "1x3" at 'x' into "1", "3"; an empty text into one empty part.
std::vector<std::string_view> split(std::string_view text, char separator);

} // namespace cutaway::request
