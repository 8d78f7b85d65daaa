// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/propagation/autocasts.h"
#include "core/analysis/propagation/node_findings.h"
#include "core/analysis/propagation/object_nodes.h"
#include "core/analysis/propagation/recorded_results.h"
#include "core/analysis/propagation/reuse.h"
#include "core/analysis/propagation/rule_facts.h"

namespace cutaway::analysis {

/// The propagation through one function's graph: visits nodes in the order of execution, and keeps their facts.
class Propagation final : public Walk {
public:
    /// `earlier` has shapes of the same graph, whose facts are reused where they would be derived again.
    explicit Propagation(Inference &inference, const ir::Graph &graph, const Shapes *earlier = nullptr);
    Propagation(const Propagation &) = delete;
    Propagation &operator=(const Propagation &) = delete;

    /// Propagates through the body, whose inputs have been set, and returns the facts of its results.
    ops::Facts run() { return run(ir::Graph::body); }
    /// Moves the shapes out. They are complete but for the total and the storages.
    Shapes take();

    const ops::Fact &of(ir::ValueId value) const override { return m_shapes.facts[value.index]; }
    ops::Fact of(const ir::Operand &operand) const override;
    void write(ir::ValueId value, ops::Fact fact, Reached reached) override;
    void write(const AttributePath &attribute, const ops::Fact &fact, Reached reached) override;
    void set(ir::ValueId value, ops::Fact fact) override;
    ops::Facts enter(ir::RegionId region, std::span<const ops::Fact> inputs, Reached reached) override;
    BoundedCost costOf(ir::RegionId region) const override { return m_findings.costOf(region); }
    Reached reached() const override { return m_reached; }
    std::uint64_t changeCount() override { return m_inference.writes->changes(); }
    std::int64_t opset(std::string_view dialect) const override { return m_inference.opsets.of(m_graph, dialect); }
    Symbols &symbols() override { return m_inference.symbols; }
    Autocasts &autocasts() override { return *m_autocasts; }

private:
    /// Makes a propagation through a called function: its nodes are reached as surely as the caller's current node, in
    /// the same autocast contexts.
    Propagation(Propagation &caller, const ir::Graph &graph);

    ops::Facts run(ir::RegionId region);
    void visit(const ir::NodeRef &node);
    bool isRepeated(const ir::NodeRef &node) const;
    void takeOver(const ir::NodeRef &node);

    // The visit functions that return a bool visit one kind of nodes, and return false for a node of another kind.
    bool visitCall(const ir::NodeRef &node);
    bool visitRegions(const ir::NodeRef &node);
    bool visitObject(const ir::NodeRef &node);
    void visitOperator(const ir::NodeRef &node);
    void visitUnknown(const ir::NodeRef &node, const ops::Operator *row);

    /// The operands that a call passes, each with the input of the called function that receives it.
    using Passed = std::vector<std::pair<const ir::Operand *, ir::ValueId>>;
    Passed passed(const ir::NodeRef &node, const ir::Function &callee) const;
    Call callOf(const ir::NodeRef &node, const ir::Function &callee, const Passed &passed) const;
    CallOutcome walk(const Call &call, const Passed &passed);
    void forgetElements(ops::StorageNumber storage);

    void applyCast(const ir::NodeRef &node, const ops::Operator &row);
    void apply(const ir::NodeRef &node, const ops::Operator &row, ops::FactSource &source);
    /// Writes a result to the argument that an operator writes to: a list that grew, a tensor that was reshaped. If a
    /// rule returns one fact more than there are results, the last fact is that of the argument. Returns the written
    /// tensor if it is the only result; its shape and dtype stay unless the operator reshapes in place.
    std::optional<ir::ValueId> writeBack(const ir::NodeRef &node, const ops::Operator &row, ops::Facts &results);
    void addAliases(const ir::NodeRef &node);

    ops::Call callOf(const ir::NodeRef &node, ops::FactSource &source) const;
    /// Sets a node's results, completed by the record; a result without a storage gets new memory.
    void give(const ir::NodeRef &node, ops::Facts results);
    void complete(const ir::NodeRef &node, ops::Facts &results);

    Inference &m_inference;
    const ir::Graph &m_graph;
    Shapes m_shapes;
    RuleFacts m_ruleFacts;
    NodeFindings m_findings;
    RecordedResults m_recorded;
    Reuse m_reuse;
    std::map<ir::ValueId, ops::Fact> m_asMade; ///< facts that values had before they were reshaped
    TrackedElements m_tracked;
    Reached m_reached = Reached::Certainly;
    Shared<Autocasts> m_autocasts;
    Shared<Aliases> m_aliases;
    ObjectNodes m_objects;
};

} // namespace cutaway::analysis
