// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/passes/patterns/pattern_match.h"
#include "core/rewrite/rewriter.h"

namespace cutaway::passes {

/// Replaces matches of patterns, one after the other, by a pattern's replacing graph.
class MatchReplacement {
public:
    explicit MatchReplacement(rewrite::Rewriter &rewriter) : m_rewriter(rewriter) { }

    /// Makes the new nodes before `next`. Returns "", or the reason why the match stays.
    std::string_view replace(const Pattern &pattern, const Match &match, ir::NodeId next);

private:
    /// The nodes that the graph `after` of a pattern becomes in place of a match.
    struct Made {
        std::vector<ir::NodeId> nodes;
        std::unordered_map<ir::ValueId, ir::Operand> values; ///< by value of that graph: the operand in the function
        /// By value of that graph: the facts from rules, and those that the pattern declares.
        std::unordered_map<ir::ValueId, std::vector<ops::Fact>> facts;
    };

    bool hasOtherType(ir::ValueId result, const ir::Operand &replacement, const std::vector<ops::Fact> &facts);
    std::string_view make(const Pattern &pattern, const Match &match, ir::NodeId next, Made &made);
    ir::Operand current(const ir::Operand &operand);
    static std::optional<ir::Operand> filled(const ir::Operand &operand, const Match &match, const Made &made);
    static std::optional<ir::Operand> calculated(const symbolic::Expr &expr, const Match &match);
    void addResults(const Pattern &pattern, const Match &match, const ir::NodeRef &node, const ir::NodeRef &here,
                    Made &made);
    static std::optional<ir::ValueId> resultFor(const Pattern &pattern, const Match &match, ir::ValueId after);
    ir::TypeId typeLike(ir::ValueId before, const ops::Fact &derived);
    ir::TypeId completed(ir::TypeId declared, ir::TypeId known);
    ir::TypeId typeOf(const ops::Fact &fact);
    ir::TypeId declaredType(const ir::ValueRef &value, const Match &match);
    ir::NameId nameOf(const Pattern &pattern, const Match &match, const ir::NodeRef &node);
    ir::ScopeId scopeOf(const Match &match);

    rewrite::Rewriter &m_rewriter;
    std::unordered_map<ir::ValueId, ir::Operand> m_replaced; ///< the results of earlier matches, and what replaced them
};

} // namespace cutaway::passes
