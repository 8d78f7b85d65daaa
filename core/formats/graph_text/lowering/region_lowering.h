// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/graph_text/lowering/attributes.h"
#include "core/formats/graph_text/lowering/calls.h"
#include "core/formats/graph_text/lowering/expressions.h"
#include "core/formats/graph_text/read/origin.h"
#include "core/formats/graph_text/read/syntax.h"

#include <unordered_set>

namespace cutaway::formats::graph_text {

/// The state that all regions of one graph share.
struct GraphLowering {
    GraphLowering(Reading &reading, ir::Function &function)
        : reading(reading),
          function(function),
          graph(function.graph),
          attributes(reading, function),
          calls(reading, function.graph)
    {
    }
    GraphLowering(const GraphLowering &) = delete;
    GraphLowering &operator=(const GraphLowering &) = delete;

    Reading &reading;
    ir::Function &function;
    ir::Graph &graph;
    Attributes attributes;
    Calls calls;
    std::unordered_map<const char *, Origin> origins; ///< by the position of the comment in the text
    /// The names of inputs, by the names in comments.
    std::unordered_map<std::string_view, std::string_view> inputsByComment;
};

/// Fills a region from a printed graph.
class RegionLowering final : private NameSource {
public:
    /// `path` is that of the graph's module: "" or "true_graph_0.".
    RegionLowering(GraphLowering &whole, ir::RegionId region, const PrintedGraph &printed, std::string path);

    /// Adds the region's inputs, nodes and outputs.
    void lower();

private:
    /// The meaning of a name: an operand, a nested class or a node.
    struct Meaning {
        ir::Operand operand = {};
        const PrintedGraph *graph = nullptr; ///< a nested class; nullptr: none
        /// A node whose number of results is shown only by the statements that use it.
        std::optional<ir::NodeId> open = {};
        std::size_t resultCount = 0; ///< the number of results of an open node, if its subgraph returns several
    };
    /// A change in place, `x += y` or `x[i] = v`. The next statement may give its node a name: `iadd = x`.
    struct PendingChange {
        Callee callee;
        std::string_view object;
    };

    std::size_t readDeclarations(std::vector<PrintedInput> &inputs);
    void addInput(const PrintedInput &input);
    InputSpec specOf(const PrintedInput &input) const;
    ir::TypeId typeElsewhere(std::string_view name) const;

    void readStatement(const PrintedStatement &statement);
    void readCode(std::string_view text);
    void readListed(const ListedNode &node);
    void readOutput(const ListedNode &node);
    void keepUnreadable(const PrintedStatement &statement, const Error &error);
    void define(const python::Tree &tree, const Definition &definition);
    void defineByAttribute(const python::Tree &tree, const Definition &definition, ir::TypeId type);
    void alias(std::string_view name, std::string_view of, ir::TypeId type);
    void readChange(const python::Tree &tree, const Change &change);
    void endChange();
    void getAttribute(std::string_view name, const std::string &path, ir::TypeId type);
    bool takeResult(std::string_view name, const python::Tree &tree, ExpressionId object, ExpressionId index,
                    ir::TypeId type);
    void noteItem(const ir::Operand &input, std::size_t position, ir::TypeId type);
    void giveInputsTheirItems();
    void readReturn(const Statement &statement, const Returned &returned);

    // Nodes of the graph.
    Callee called(const python::Tree &tree, ExpressionId value);
    Callee calledFunction(const python::Tree &tree, const python::Call &call);
    Callee calledListed(const ListedNode &node, std::string_view function, GivenArguments given);
    void addArgument(const python::Tree &tree, std::string_view keyword, ExpressionId value, GivenArguments &given);
    void append(std::string_view name, Callee callee, ir::TypeId type);
    std::size_t addRegions(ir::NodeId node);
    Meaning addResults(ir::NodeId node, std::string_view name, const std::vector<ir::TypeId> &results, ir::TypeId type);
    void grow(Meaning &meaning, std::string_view name, std::size_t count);
    void setMeaning(std::string_view name, Meaning meaning);
    ir::Operand operandOf(std::string_view name, Meaning &meaning);

    // Results of the graph.
    void addOutputs(const ir::Operand &value, std::string_view comment);
    ir::FunctionOutput output(const ir::Operand &value, std::string_view comment) const;

    bool isDefined(std::string_view name) const override { return m_names.contains(name); }
    ir::Operand operandNamed(std::string_view name) override;
    bool isRoot() const { return m_region == ir::Graph::body; }
    ir::Context &context() const { return m_reading.context(); }
    const PrintedGraph *childNamed(std::string_view name) const;

    GraphLowering &m_whole;
    Reading &m_reading;
    ir::Graph &m_graph;
    ir::RegionId m_region;
    const PrintedGraph &m_printed;
    std::string m_path;
    Expressions m_expressions;
    std::unordered_map<std::string_view, Meaning> m_names;
    std::unordered_map<std::string_view, ir::ValueId> m_renamable; ///< the inputs that no statement has renamed
    /// By input: the types of the items that statements take from it.
    std::unordered_map<ir::ValueId, std::vector<ir::TypeId>> m_items;
    std::unordered_set<ir::ValueId> m_named;       ///< the results that have a printed name
    std::vector<const PrintedGraph *> m_subgraphs; ///< the subgraphs among the arguments of the call that is being read
    std::optional<PendingChange> m_change;
    Origin m_origin;
    std::uint32_t m_line = 0;
    std::vector<ir::Operand> m_outputs;
    bool m_hasReturned = false;
    bool m_returnsSeveral = false; ///< whether the graph returns a tuple, list or dict, whose leaves are the outputs
};

} // namespace cutaway::formats::graph_text
