// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace cutaway::print {

/// Whether `text` is a Python identifier: ASCII letters, digits and "_", no keyword.
bool isIdentifier(std::string_view text);

/// Makes `text` an identifier: "_" replaces invalid characters and is put in front where the text may not begin like
/// that.
std::string identifierFrom(std::string_view text);

/// Makes each part of a dotted name an identifier.
std::string dottedName(std::string_view text);

/// Access to an attribute: "self.conv1", "self.layer1[0]", or getattr(self, "a b") if the name is not an identifier.
std::string attributeOf(const std::string &object, std::string_view name);

/// Hands out names, each only once.
class UniqueNames {
public:
    bool isFree(const std::string &name) const { return !m_taken.contains(name); }
    /// `wanted` if it is free, else the first free of wanted_1, wanted_2, … Amortized constant time.
    std::string take(const std::string &wanted);

private:
    std::unordered_map<std::string, std::uint32_t> m_taken; ///< by name: the next suffix to try
};

} // namespace cutaway::print
