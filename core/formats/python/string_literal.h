// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cutaway::formats::python {

/// Whose escapes a literal has. TorchScript's are those of Python without \x, and ones that only torch writes.
enum class Escapes : std::uint8_t { Python, TorchScript };

/// The bytes a string literal stands for.
struct DecodedString {
    std::string bytes;
    bool isRepaired = false; ///< it had escapes that torch writes and cannot read back
};

/// `literal` has its quotes. Unknown escapes stay as they are written.
DecodedString decodeString(std::string_view literal, Escapes escapes);

/// `bytes` as a literal in torch's way: double quotes, three octal digits for what is not printable ASCII.
std::string encodeString(std::string_view bytes);

} // namespace cutaway::formats::python
