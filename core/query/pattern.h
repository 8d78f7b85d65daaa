// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cutaway::query {

/// A text with stars, each of which stands for any text, also none.
class Pattern {
public:
    void add(std::string_view literal) { m_pieces.back() += literal; }
    void addStar() { m_pieces.emplace_back(); }
    /// The same with capital letters (of ASCII) as small ones; what it is compared with has to be lowerCase(), too.
    Pattern lowered() const;

    bool isEmpty() const { return m_pieces.size() == 1 && m_pieces.front().empty(); }
    /// The text, if it has no stars.
    const std::string *literal() const { return m_pieces.size() == 1 ? &m_pieces.front() : nullptr; }
    /// Whether it is the whole text.
    bool matches(std::string_view text) const;
    /// Whether it is a part of the text.
    bool occursIn(std::string_view text) const;
    std::string print() const;

    bool operator==(const Pattern &) const = default;

private:
    std::vector<std::string> m_pieces{1}; ///< between the stars
};

/// With small letters for the capital ones of ASCII.
std::string lowerCase(std::string_view text);

} // namespace cutaway::query
