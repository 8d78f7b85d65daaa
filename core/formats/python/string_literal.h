// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cutaway::formats::python {

/// Which escapes a literal has. TorchScript's are Python's without \x, and some that only torch writes.
enum class Escapes : std::uint8_t { Python, TorchScript };

/// The bytes that a string literal stands for.
struct DecodedString {
    std::string bytes;
    bool isRepaired = false; ///< whether it had escapes that torch writes and cannot read back
};

/// Decodes a literal, which includes its quotes. Unknown escapes are not changed.
DecodedString decodeString(std::string_view literal, Escapes escapes);

/// Returns `bytes` as torch's literal: double quotes, and three octal digits for bytes that are not printable ASCII.
std::string encodeString(std::string_view bytes);

} // namespace cutaway::formats::python
