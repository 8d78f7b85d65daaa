// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"
#include "core/ops/facts/fact.h"
#include "core/symbolic/evaluate.h"

#include <set>
#include <unordered_map>

namespace cutaway::analysis {

/// The symbols of a model: values of those that are bound, ranges of the others. If the file gives no lower end for a
/// symbol of an input, the symbol is a size and so not negative.
class FileSymbols {
public:
    FileSymbols(const ir::Model &model, symbolic::Bindings bindings);

    // Return the argument with the model's symbols replaced by their values or by symbols with ranges, and constant
    // parts computed. A size is unknown if it cannot be computed, as a division by zero. Other symbols stay.
    ir::Dim of(const symbolic::Expr &expr) const;
    ir::Dim of(const ir::Dim &dim) const;
    ir::Shape of(ir::Shape shape) const;
    ops::Fact of(ops::Fact fact) const;

    /// Whether the model has all symbols of an expression.
    bool contains(const symbolic::Expr &expr) const;
    /// Whether none of the expression's symbols is one of an input, so that data decides its value.
    bool isDecidedByData(const symbolic::Expr &expr) const;
    const symbolic::Bindings &bindings() const { return m_bindings; }

private:
    symbolic::Bindings m_bindings;
    std::set<std::string, std::less<>> m_symbols, m_ofInputs;
    symbolic::Replacements m_known;
    struct Found {
        symbolic::Expr of; ///< kept alive, so that no other expression gets the same identity
        ir::Dim dim;
    };
    /// The results of of(), by identity of the expression: types are shared, so the same expressions come again and
    /// again.
    mutable std::unordered_map<const void *, Found> m_found;
};

} // namespace cutaway::analysis
