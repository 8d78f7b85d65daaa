// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace cutaway {

/// A set of names that gives out each name only once.
class UniqueNames {
public:
    /// Takes a name; returns false if it was taken before.
    bool take(std::string_view name) { return m_taken.emplace(name).second; }
    /// Takes and returns the wanted name or, if that is taken, the first free one of NAME_1, NAME_2, …
    std::string fresh(std::string_view wanted);

private:
    std::unordered_set<std::string> m_taken;
    /// The last number that was appended to each wanted name: thousands may want the same name, and searching from 1
    /// takes long.
    std::unordered_map<std::string, std::size_t> m_lastNumbers;
};

} // namespace cutaway
