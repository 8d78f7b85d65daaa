// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/propagation/aliases.h"
#include "core/analysis/propagation/autocasts.h"
#include "core/analysis/propagation/inference.h"
#include "core/analysis/propagation/object_attributes.h"
#include "core/analysis/propagation/reuse.h"
#include "core/ops/fact_source.h"

#include <set>

namespace cutaway::analysis {

/// The propagation through one function's graph: looks at nodes in the order of execution, and keeps the facts that it
/// finds.
class Propagation final : public Walk, private ops::FactSource {
public:
    /// `earlier`: shapes that were found in the same graph, to be taken over where they would be found again.
    explicit Propagation(Inference &inference, const ir::Graph &graph, const Shapes *earlier = nullptr);
    Propagation(const Propagation &) = delete;
    Propagation &operator=(const Propagation &) = delete;

    /// The body's results, after its inputs have been set.
    ops::Facts run() { return run(ir::Graph::body); }
    /// Takes the shapes out, complete but for the total and the storages.
    Shapes take();

    const ops::Fact &of(ir::ValueId value) const override { return m_shapes.facts[value.index]; }
    ops::Fact of(const ir::Operand &operand) const override;
    void write(ir::ValueId value, ops::Fact fact, Reached reached) override;
    void write(const AttributePath &attribute, const ops::Fact &fact, Reached reached) override;
    void set(ir::ValueId value, ops::Fact fact) override;
    ops::Facts enter(ir::RegionId region, std::span<const ops::Fact> inputs, Reached reached) override;
    BoundedCost costOf(ir::RegionId region) const override;
    Reached reached() const override { return m_reached; }
    std::uint64_t changeCount() override { return m_inference.writes->changes(); }
    std::int64_t opset(std::string_view dialect) const override { return m_inference.opsets.of(m_graph, dialect); }
    Symbols &symbols() override { return m_inference.symbols; }
    Autocasts &autocasts() override { return *m_autocasts; }

private:
    const ops::Fact &fact(ir::ValueId value) const override { return of(value); }
    ops::Fact tensor(ir::TensorId weight) const override { return m_inference.constants.tensor(weight); }
    ops::Fact object(ir::ObjectId object) const override { return m_inference.constants.object(object); }
    ops::Fact attribute(ir::NameId name) const override;
    ir::Dim size(const symbolic::Expr &formula) const override { return m_inference.fileSymbols->of(formula); }
    ir::Dim freshSize(std::string_view hint, const ir::Dim &most) override
    {
        return m_inference.symbols.freshSize(hint, most);
    }

    /// A propagation through a function that is called where the caller is, reached as surely and in the same autocast
    /// contexts.
    Propagation(Propagation &caller, const ir::Graph &graph);

    ops::Facts run(ir::RegionId region);
    void visit(const ir::NodeRef &node);
    bool isRepeated(const ir::NodeRef &node) const;
    void takeOver(const ir::NodeRef &node);

    // The functions that return a bool visit one kind of nodes; false: the node is of another kind.
    bool visitCall(const ir::NodeRef &node);
    bool visitRegions(const ir::NodeRef &node);
    bool visitAttribute(const ir::NodeRef &node);
    void visitOperator(const ir::NodeRef &node);
    void visitUnknown(const ir::NodeRef &node, const ops::Operator *row);

    /// The operands that a call passes, each with the input of the function that it becomes.
    using Passed = std::vector<std::pair<const ir::Operand *, ir::ValueId>>;
    Passed passed(const ir::NodeRef &node, const ir::Function &callee) const;
    Call callOf(const ir::NodeRef &node, const ir::Function &callee, const Passed &passed) const;
    CallOutcome walk(const Call &call, const Passed &passed);
    void setAttributes(const Call &call);
    void forgetElements(ops::StorageNumber storage);
    bool visitItemOfModules(const ir::NodeRef &node);
    bool getAttribute(const ir::NodeRef &node, const AttributePath &path);
    void setAttribute(const ir::Operand &value, const AttributePath &path);
    void visitContext(const ir::NodeRef &node, bool enters);

    void applyCast(const ir::NodeRef &node, const ops::Operator &row);
    void apply(const ir::NodeRef &node, const ops::Operator &row, ops::FactSource &source);
    void noteNeeds(const ir::NodeRef &node, const ops::Call &call, const ops::Facts &results);
    void noteUnknown(const ir::NodeRef &node, const ops::Operator &row, const std::optional<ops::Doubt> &doubt);
    bool readsOnlyKnown(const ir::NodeRef &node) const;
    std::optional<ir::ValueId> writeBack(const ir::NodeRef &node, const ops::Operator &row, ops::Facts &results);
    void addAliases(const ir::NodeRef &node);

    ops::Call callOf(const ir::NodeRef &node, ops::FactSource &source) const;
    ops::Fact &attribute(const AttributePath &path) { return m_attributes->at(path, *this); }
    void setCost(const ir::NodeRef &node, ops::Cost cost) { m_shapes.costs.set(node.id().index, std::move(cost)); }
    void give(const ir::NodeRef &node, ops::Facts results);
    void useRecordedNames(const ir::NodeRef &node, std::uint32_t madeBefore, ops::Facts &results);
    void complete(const ir::NodeRef &node, ops::Facts &results);
    Stop::Results known(const ir::NodeRef &node) const;
    void setBoundedCost(const ir::NodeRef &node, BoundedCost cost);
    void stop(Stop stop);

    Inference &m_inference;
    const ir::Graph &m_graph;
    Shapes m_shapes;
    Reuse m_reuse;
    std::vector<bool> m_stopped;                     ///< by NodeId
    bool m_isRecorded;                               ///< the file records the values being walked as they are
    std::set<ir::NodeId> m_named;                    ///< nodes whose symbols have become the file's
    std::map<const void *, symbolic::Expr> m_needed; ///< formulas that were seen not to be negative, by identity
    std::map<ir::ValueId, ops::Fact> m_asMade;       ///< facts of values that have been reshaped since
    std::optional<std::unordered_map<ir::NameId, ops::Fact>> m_given; ///< attributes of an ONNX function that is called
    TrackedElements m_tracked;
    Reached m_reached = Reached::Certainly;
    Shared<Autocasts> m_autocasts;
    Shared<Aliases> m_aliases;
    Shared<ObjectAttributes> m_attributes;
};

} // namespace cutaway::analysis
