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

/// All of the text, or nothing.
std::optional<std::int64_t> parseInteger(std::string_view text);

/// "1x3" at 'x': "1", "3". One part, "", of an empty text.
std::vector<std::string_view> split(std::string_view text, char separator);

} // namespace cutaway::request
