// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace cutaway {

/// The names most similar to `wanted`, nearest first: "dead-code, dead-inputs". All names if none is similar.
std::string nearNames(std::string_view wanted, std::span<const std::string_view> names);

} // namespace cutaway
