// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/shapes.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace cutaway::analysis {

/// The symbols that one propagation makes up, numbered together.
class Symbols {
public:
    /// Makes a symbol for a size that only data decides: "hint_7". The size is at most `most`, if that is known.
    ir::Dim freshSize(std::string_view hint, const ir::Dim &most = ir::UnknownDim{});
    /// Makes a symbol that is 1 or 0, for a Boolean that only data decides: whether a branch is taken. Facts of results
    /// do not keep such symbols: see removeChoices().
    ir::Dim freshChoice();

    std::uint32_t count() const { return static_cast<std::uint32_t>(m_made.size()); }
    std::span<const DataSize> madeSince(std::uint32_t count) const { return std::span(m_made).subspan(count); }
    /// Adds the symbols that an earlier propagation made up, with their names and limits.
    void append(std::span<const DataSize> made);
    /// Returns the symbols in the order of their numbers.
    std::vector<DataSize> take() { return std::move(m_made); }

    /// Makes unknown all that depends on the choice of a branch. These facts then differ from those that nodes saw, so
    /// another propagation must not take them over.
    void removeChoices(Shapes &shapes) const;

private:
    ir::Dim limitOf(const ir::Dim &size) const;
    ir::Dim limitOf(const symbolic::Expr &size) const;
    void add(DataSize made);

    std::vector<DataSize> m_made;
    std::unordered_map<std::string, ir::Dim> m_limits;
    std::unordered_set<std::string> m_choices;
};

} // namespace cutaway::analysis
