// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace cutaway::print {

/// Whether Python takes it as a name: ASCII letters, digits and "_", no keyword.
bool isIdentifier(std::string_view text);

/// `text` as an identifier: what one cannot hold becomes "_", what it cannot begin with gets one in front.
std::string identifierFrom(std::string_view text);

/// Each part of a dotted name made an identifier.
std::string dottedName(std::string_view text);

/// "self.conv1", "self.layer1[0]", or getattr(self, "a b") for what no dot can name.
std::string attributeOf(const std::string &object, std::string_view name);

/// Gives names out, none of them twice.
class UniqueNames {
public:
    bool isFree(const std::string &name) const { return !m_taken.contains(name); }
    /// `wanted` if it is free, else the first free of wanted_1, wanted_2, … Constant time, seen over all calls.
    std::string take(const std::string &wanted);

private:
    std::unordered_map<std::string, std::uint32_t> m_taken; ///< with the next number to try behind it
};

} // namespace cutaway::print
