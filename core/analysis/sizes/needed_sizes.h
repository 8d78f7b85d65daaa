// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/shapes.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace cutaway::analysis {

/// The values of the symbols of a function's inputs with which its nodes can run: a kernel of 512 needs 512 samples, a
/// weight of 288 rows needs the image that gives 288 columns.
class NeededSizes {
public:
    NeededSizes() = default;
    NeededSizes(const ir::Model &model, const Shapes &shapes);

    /// The values of a symbol with which the function may run: the range of the file as far as nodes allow it. A symbol
    /// without a range in the file is 0 or more.
    symbolic::Range rangeOf(const std::string &symbol) const;
    /// Describes what nodes need of a symbol beyond its range in the file: "at least 512", "8"; "" if that is nothing.
    std::string textOf(const ir::Symbol &symbol) const;
    /// Returns a value near `wanted` that suits the nodes which read no other symbol: the next larger one, or else the
    /// next smaller one. If none is found, the value in rangeOf() that is nearest.
    std::int64_t suitable(const std::string &symbol, std::int64_t wanted) const;

    /// A diagnostic for the user.
    struct Finding {
        ir::NodeId node;
        std::string message;
        bool isAssumed; ///< whether two sizes are assumed to be equal; if not, the graph leaves a symbol one value, or
                        ///< none
    };
    const std::vector<Finding> &findings() const { return m_findings; }

private:
    struct Known {
        symbolic::Range file, needed;
        std::vector<NodeNeed> needs; ///< the needs of this symbol alone
    };
    void narrow(const std::string &name, Known &symbol);
    bool narrow(const std::string &name, Known &symbol, const ops::SizeNeed &need) const;
    using Messages = std::set<std::string>; ///< messages of the findings
    void addUnequal(const NodeNeed &need, Messages &messages);

    std::map<std::string, Known, std::less<>> m_symbols;
    std::vector<Finding> m_findings;
};

/// Whether two formulas differ for ordinary sizes, which many numbers divide.
bool isDifferentFormula(const symbolic::Expr &a, const symbolic::Expr &b);

} // namespace cutaway::analysis
