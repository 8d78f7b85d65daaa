// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace cutaway {

/// Returns the names that are most similar to `wanted`, nearest first: "dead-code, dead-inputs". If none is similar,
/// it returns the first names: all of them unless there are more than `most`.
std::string nearNames(std::string_view wanted, std::span<const std::string_view> names, std::size_t most = 1000);

} // namespace cutaway
