// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace cutaway {

/// The SHA-256 of bytes (FIPS 180-4) in hexadecimal, to tell contents apart.
std::string sha256(std::string_view bytes);

} // namespace cutaway
