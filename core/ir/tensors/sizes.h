// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace cutaway::ir {

/// Prints sizes: "[2, 3]".
std::string printSizes(std::span<const std::int64_t> sizes);

} // namespace cutaway::ir
