// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace cutaway {

/// Returns the SHA-256 (FIPS 180-4) of the bytes in hexadecimal. It is used to compare contents.
std::string sha256(std::string_view bytes);

} // namespace cutaway
