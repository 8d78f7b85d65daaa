// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/rewrite/rewriter.h"

#include <unordered_map>
#include <vector>

namespace cutaway::passes {

/// Copies nodes of a function of the model into the rewritten one: one iteration of a loop, the body of a callee.
class Copies {
public:
    /// Copies within the rewritten function; the pass must not have changed the copied nodes yet.
    explicit Copies(rewrite::Rewriter &rewriter) : Copies(rewriter, rewriter.function()) { }
    /// Copies from any function. If a node calls it, the copies have this node as their origin and are under its scope.
    Copies(rewrite::Rewriter &rewriter, const ir::Function &source, std::optional<ir::NodeRef> call = {});

    /// Sets what replaces a value of the source in the copies.
    void set(ir::ValueId original, ir::Operand here) { m_values.insert_or_assign(original, std::move(here)); }
    /// Sets the scope that replaces the source's root scope; the default is that of the call.
    void setScope(ir::ScopeId scope) { m_scopes.insert_or_assign(ir::ScopeId{}, scope); }
    ir::Operand of(const ir::Operand &original);

    /// Copies the nodes of a region to before `next`. Returns all copies, those in regions included, outer nodes first.
    std::vector<ir::NodeRef> copyBefore(ir::NodeId next, ir::RegionId region);

private:
    ir::Operand ofValue(ir::ValueId original);
    ir::NodeDraft draftOf(ir::NodeId original);
    std::optional<ir::Argument> argumentOf(const ir::Argument &original);
    void finish(ir::NodeId original, const ir::NodeRef &copy, std::vector<ir::NodeRef> &made);
    void copyInto(ir::RegionId target, ir::RegionId region, std::vector<ir::NodeRef> &made);
    ir::ScopeId scopeOf(ir::ScopeId original);
    ir::LocationId locationOf(ir::LocationId original);

    rewrite::Rewriter &m_rewriter;
    const ir::Function &m_source;
    std::optional<ir::NodeRef> m_call;
    std::unordered_map<ir::ValueId, ir::Operand> m_values;
    std::unordered_map<ir::ScopeId, ir::ScopeId> m_scopes;
    std::unordered_map<ir::LocationId, ir::LocationId> m_locations;
};

} // namespace cutaway::passes
