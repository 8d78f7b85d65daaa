// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace cutaway::print {

/// Whether `text` is a Python identifier: ASCII letters, digits and "_", and no keyword.
bool isIdentifier(std::string_view text);

/// Makes `text` an identifier. Invalid characters at the beginning are dropped, others become "_", several in a row one
/// "_". A digit at the beginning gets a "_" before it, a keyword gets one at its end.
std::string identifierFrom(std::string_view text);

/// Makes each part of a dotted name an identifier.
std::string dottedName(std::string_view text);

/// Access to an attribute: "self.conv1", "self.layer1[0]", or getattr(self, "a b") if the name is not an identifier.
std::string attributeOf(const std::string &object, std::string_view name);

} // namespace cutaway::print
