// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cutaway::query {

/// A text with stars, each of which stands for any text, even an empty one.
class Pattern {
public:
    void add(std::string_view literal) { m_pieces.back() += literal; }
    void addStar() { m_pieces.emplace_back(); }
    /// Returns the pattern with small letters for the capital ones of ASCII; texts to compare with it must be
    /// lowerCase(), too.
    Pattern lowered() const;

    bool isEmpty() const { return m_pieces.size() == 1 && m_pieces.front().empty(); }
    /// Returns the text, if the pattern has no stars.
    const std::string *literal() const { return m_pieces.size() == 1 ? &m_pieces.front() : nullptr; }
    /// Whether the pattern matches the whole text.
    bool matches(std::string_view text) const;
    /// Whether the pattern matches a part of the text.
    bool occursIn(std::string_view text) const;
    std::string print() const;

    bool operator==(const Pattern &) const = default;

private:
    std::vector<std::string> m_pieces{1}; ///< the literal texts between the stars
};

/// Returns the text with small letters for the capital ones of ASCII.
std::string lowerCase(std::string_view text);

} // namespace cutaway::query
