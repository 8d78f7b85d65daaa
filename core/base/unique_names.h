// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace cutaway {

/// A set of names of which each is given only once.
class UniqueNames {
public:
    /// Whether the name was free.
    bool take(std::string_view name) { return m_taken.emplace(name).second; }
    /// Takes the name that is wanted or, if that is taken, the first free one of NAME_1, NAME_2, …
    std::string fresh(std::string_view wanted);

private:
    std::unordered_set<std::string> m_taken;
    std::unordered_map<std::string, std::size_t> m_lastNumbers; ///< thousands may want one name
};

} // namespace cutaway
