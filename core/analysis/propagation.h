// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/shapes.h"
#include "core/ir/node_ref.h"
#include "core/ops/torch/autocast.h"
#include "core/ops/torch/signatures.h"

#include <map>
#include <unordered_map>
#include <unordered_set>

namespace cutaway::analysis {

/// What the functions of one model share while facts are propagated through them.
struct Inference {
    Inference(const ir::Model &analysed, const Given &fixed, const Task &watched);

    const ir::Model &model;
    const ir::Context &context;
    const Given &given;
    const Task &task;
    ops::Signatures signatures;
    std::uint64_t steps = 0;    ///< nodes looked at, in all iterations
    int depth = 0;              ///< of functions and regions inside each other
    std::uint64_t changes = 0;  ///< of what code writes to: lists, tensors, attributes
    std::uint64_t accesses = 0; ///< to what a node may find besides the facts of its operands, or leave to others
    std::uint64_t visited = 0;  ///< steps less those that were taken over

    const ops::Operator *rowOf(ir::OpId op);
    std::optional<std::string_view> device() const;
    ops::Fact tensor(ir::TensorId id);
    ops::Fact constant(const ir::Operand &operand);
    /// What a function's declaration says of an input; the module that it is a method of.
    ops::Fact ofInput(ir::FunctionId function, ir::TypeId type) const;
    /// What a module holds under a dotted path; changed where code sets it.
    ops::Fact &attribute(ir::ModuleId module, std::string_view path);
    ir::Dim bound(const symbolic::Expr &expr) const;
    ops::Fact bound(ops::Fact fact) const;
    Trace::Count count() const;
    ir::Dim freshSize(std::string_view hint);
    /// A truth that is not known: a symbol that is one or zero. None is left in what is found.
    ir::Dim freshChoice();
    void removeChoices(Shapes &shapes) const;
    /// New memory for a tensor, as much as its elements take if nothing else is said.
    void store(ops::TensorFact &tensor, std::optional<ir::Dim> bytes = std::nullopt);
    std::vector<ir::Dim> storages{std::int64_t{0}, std::int64_t{0}}; ///< bytes, by StorageNumber
    std::uint32_t fresh = 0;                                         ///< symbols made

private:
    using Attributes = std::map<std::string, ops::Fact, std::less<>>;
    Attributes &attributesOf(ir::ModuleId id);

    std::unordered_map<ir::ModuleId, Attributes> m_attributes;
    std::unordered_map<ir::OpId, const ops::Operator *> m_rows;
    std::unordered_map<ir::TensorId, ops::Fact> m_tensors;
    std::unordered_set<std::string> m_choices;
};

/// Propagation through one function's graph.
class Propagation {
public:
    /// `earlier`: found in the same graph, to be taken over where it would be found again.
    Propagation(Inference &inference, const ir::Graph &graph, const Shapes *earlier = nullptr);

    /// The region's results, its inputs being set.
    ops::Facts run(ir::RegionId region);
    void set(ir::ValueId value, ops::Fact fact);
    const ops::Fact &of(ir::ValueId value) const { return m_shapes.facts[value.index]; }
    ops::Fact of(const ir::Operand &operand) const;
    ops::Cost costOf(ir::RegionId region) const;
    Shapes take() { return std::move(m_shapes); }

private:
    void setWeights();
    void visit(const ir::NodeRef &node);
    void visitOperator(const ir::NodeRef &node);
    void apply(const ir::NodeRef &node, const ops::Operator &row, const ops::Call::Source &source);
    ops::Call callOf(const ir::NodeRef &node, const ops::Call::Source &source) const;
    std::optional<ir::ValueId> writeBack(const ir::NodeRef &node, const ops::Operator &row, ops::Facts &results);
    bool write(ops::Fact &held, ops::Fact value);
    void writeTo(ir::ValueId value, ops::Fact fact);
    void give(const ir::NodeRef &node, ops::Facts results);
    void stop(const ir::NodeRef &node, std::string reason, bool isContradiction = false, bool hidesCost = true);
    bool visitCall(const ir::NodeRef &node);

    // reuse.cpp
    void noteChange(ir::ValueId value);
    void noteVisit(const ir::NodeRef &node, const Trace::Count &before, bool isAlone);
    bool isRepeated(const ir::NodeRef &node) const;
    void takeOver(const ir::NodeRef &node);

    // storage.cpp
    void place(const ops::Operator &row, const ops::Call &call, ops::Facts &results);
    void countBytes(ops::Pattern pattern, const ir::NodeRef &node, std::span<const ops::Fact> results, ops::Cost &cost);

    // aliases.cpp
    struct Same {
        ir::ValueId value;
    };
    struct Item {
        ir::ValueId container;
        ops::Fact key;
    };
    struct Attribute {
        ir::ValueId object;
        std::string path;
    };
    using Origin = std::variant<Same, Item, Attribute>;
    void alias(const ir::Operand &operand, Origin origin);
    void noteAliases(const ir::NodeRef &node);
    void writeThrough(ir::ValueId value, int depth = 0);

    // objects.cpp
    bool visitAttribute(const ir::NodeRef &node);
    bool isModule(ir::ValueId value) const;
    ops::Fact &attribute(ir::ValueId object, std::string_view path);
    const ir::Function *calledFunction(const ir::NodeRef &node) const;

    // autocast.cpp
    void visitContext(const ir::NodeRef &node, bool enters);
    void applyCast(const ir::NodeRef &node, const ops::Operator &row);

    // control_flow.cpp
    bool visitRegions(const ir::NodeRef &node);
    void branch(const ir::NodeRef &node, std::optional<bool> taken, ops::Facts arguments);
    struct Loop {
        ir::RegionId region;
        std::optional<ir::Dim> trips; ///< how often at most, where that is known
        std::optional<bool> start;    ///< the condition before the first
        ops::Facts carried;
        bool hasCondition = false; ///< ONNX: the region's inputs start with counter and condition, else with counter
        bool isCounted = true;     ///< or only the condition ends it
    };
    void loop(const ir::NodeRef &node, Loop loop);
    void whileLoop(const ir::NodeRef &node);
    struct Scan {
        ops::Facts states, scanned;
        ops::Facts more;                 ///< what each turn sees whole
        ir::Shape inputAxes, outputAxes; ///< 0 where none is given
    };
    void scan(const ir::NodeRef &node);
    void scan(const ir::NodeRef &node, const Scan &all);
    void scanOfBatch(const ir::NodeRef &node, Scan all);
    void map(const ir::NodeRef &node);
    void mapSequences(const ir::NodeRef &node);
    void inner(const ir::NodeRef &node);
    ir::Dim choiceOf(const ir::NodeRef &node, std::optional<bool> taken);
    ops::Facts enter(ir::RegionId region, std::span<const ops::Fact> inputs);
    ops::Facts argumentsFrom(const ir::NodeRef &node, std::size_t first) const;
    bool raises(ir::RegionId region) const;
    ops::Fact joined(const ir::NodeRef &node, std::size_t output, const ops::Fact &a, const ops::Fact &b) const;

    /// Whether the code being walked runs, as far as is known: what it writes to is changed, or may be, or is not.
    enum class Runs : std::uint8_t { Surely, Perhaps, Never };
    ops::Facts enterIf(Runs runs, ir::RegionId region, std::span<const ops::Fact> inputs);

    Inference &m_inference;
    const ir::Graph &m_graph;
    ops::Call::Source m_source;
    Shapes m_shapes;
    const Shapes *m_earlier;
    std::unordered_map<ir::NodeId, const Stop *> m_earlierStops;
    std::vector<bool> m_same;    ///< by ValueId: its fact is the one that all its readers saw earlier
    std::vector<bool> m_stopped; ///< by NodeId
    Runs m_runs = Runs::Surely;
    std::vector<ops::Autocast> m_autocasts; ///< that code being walked lies in, innermost last
    std::map<std::pair<ir::ValueId, std::string>, ops::Fact> m_attributes; ///< of objects that are no modules
    std::unordered_multimap<ir::ValueId, Origin> m_origins; ///< where else the list or dictionary is that a value is
};

} // namespace cutaway::analysis
