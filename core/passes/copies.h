// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/passes/rewriter.h"

#include <unordered_map>
#include <vector>

namespace cutaway::passes {

/// Copies nodes of a function of the model into the one that is rewritten: one turn of a loop, the body of a callee.
class Copies {
public:
    /// Out of the function that is rewritten, which the pass has not changed there so far.
    explicit Copies(Rewriter &rewriter) : Copies(rewriter, rewriter.function()) { }
    /// Out of any function; where a node calls it, the copies are made from this node, and under its scope.
    Copies(Rewriter &rewriter, const ir::Function &source, std::optional<ir::NodeRef> call = {});

    /// What a value of the source is among the copies.
    void set(ir::ValueId original, ir::Operand here) { m_values.insert_or_assign(original, std::move(here)); }
    /// The scope that the source's outermost is among the copies; else that of the call.
    void setScope(ir::ScopeId scope) { m_scopes.insert_or_assign(ir::ScopeId{}, scope); }
    ir::Operand of(const ir::Operand &original);

    /// The nodes of a region, before a node of the function. All that was made, regions included, outer nodes first.
    std::vector<ir::NodeRef> copyBefore(ir::NodeId next, ir::RegionId region);

private:
    ir::Operand ofValue(ir::ValueId original);
    ir::NodeDraft draftOf(ir::NodeId original);
    std::optional<ir::Argument> argumentOf(const ir::Argument &original);
    const ir::Operand *referred(const ir::Operand &attribute) const;
    void finish(ir::NodeId original, const ir::NodeRef &copy, std::vector<ir::NodeRef> &made);
    void copyInto(ir::RegionId target, ir::RegionId region, std::vector<ir::NodeRef> &made);
    ir::ScopeId scopeOf(ir::ScopeId original);
    ir::LocationId locationOf(ir::LocationId original);

    Rewriter &m_rewriter;
    const ir::Function &m_source;
    std::optional<ir::NodeRef> m_call;
    std::unordered_map<ir::ValueId, ir::Operand> m_values;
    std::unordered_map<ir::ScopeId, ir::ScopeId> m_scopes;
    std::unordered_map<ir::LocationId, ir::LocationId> m_locations;
};

} // namespace cutaway::passes
