// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace cutaway::formats::torchscript {

/// The bytes a string literal stands for.
struct DecodedString {
    std::string bytes;
    bool isRepaired = false; ///< it had escapes that torch cannot read back
};

/// `literal` has its quotes. Unknown escapes stay as they are written.
DecodedString decodeString(std::string_view literal);

/// `bytes` as a literal in torch's way: double quotes, three octal digits for what is not printable ASCII.
std::string encodeString(std::string_view bytes);

} // namespace cutaway::formats::torchscript
