// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/propagation/shared.h"
#include "core/analysis/shapes.h"
#include "core/ir/node_ref.h"

#include <span>

namespace cutaway::analysis {

class FileSymbols;

/// The names that the file gives to the sizes of a node's results.
class RecordedNames {
public:
    /// `made`: the symbols that propagation made up at this node. `isOfThisCall`: the file records sizes for the inputs
    /// that are given.
    RecordedNames(Shared<const FileSymbols> &symbols, std::span<const DataSize> made, bool isOfThisCall)
        : m_symbols(symbols),
          m_made(made),
          m_isOfThisCall(isOfThisCall)
    {
    }

    /// Writes sizes as the file does: symbols of `made` are replaced by the sizes that the file records, and a derived
    /// expression by the recorded one if both are provably equal.
    void apply(const ir::NodeRef &node, ops::Facts &results);
    /// Whether a symbol got the file's name.
    bool hasNamed() const { return !m_names.empty(); }

private:
    bool lookAtNumber(ir::Dim &derived, const ir::Dim &recorded) const;
    /// Returns whether `derived` is written as recorded afterwards.
    bool look(ir::Dim &derived, const ir::Dim &recorded);
    void look(ops::Fact &derived, const ir::Type &recorded);
    bool isMade(const symbolic::Expr &expr) const;
    bool mayName(const symbolic::Expr &recorded) const;

    Shared<const FileSymbols> &m_symbols;
    std::span<const DataSize> m_made;
    bool m_isOfThisCall;
    symbolic::Replacements m_names; ///< expressions for the symbols of `made`
};

} // namespace cutaway::analysis
