// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace cutaway::passes {

/// Counts the candidates of a pass, and those that it did not change, by cause.
class LeftOver {
public:
    void done() { ++m_total; }
    /// Counts a candidate that stays as it is. `cause` is the end of a sentence, after a colon: "their input is written
    /// to in place"; it must outlive this object.
    void leave(std::string_view cause)
    {
        ++m_total;
        ++m_causes[cause];
    }
    /// Returns the sentence that begins with the counts and `what`, "batch norms not folded": "17 of 20 batch norms not
    /// folded: their input is written to in place (15); …"; "" if nothing was left.
    std::string print(std::string_view what) const;

private:
    std::size_t m_total = 0;
    std::map<std::string_view, std::size_t> m_causes;
};

/// The cause for candidates whose values an operator in place writes to.
inline constexpr std::string_view writtenInPlace = "what they read or make is written to in place; functionalize first";

} // namespace cutaway::passes
