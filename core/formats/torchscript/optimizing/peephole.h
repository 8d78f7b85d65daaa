// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/torchscript/lowering/call_stack.h"
#include "core/formats/torchscript/lowering/graph_builder.h"
#include "core/formats/torchscript/optimizing/alias_sets.h"

#include <optional>

namespace cutaway::formats::torchscript {

/// Does what torch's peephole optimizer does in a function that is inlined, when the whole function is known, with
/// the functions inlined into it: it finds items and lengths of lists and dictionaries that nothing changes, ranks of
/// the results of convolutions, concatenations of concatenations, and the constants and branches that follow from
/// these (peephole.cpp, concat_opt.cpp).
class Peephole {
public:
    /// Works on the nodes of the current region from `first` on, which belong to the level `level` of calls; `result`
    /// is the function's result.
    Peephole(GraphBuilder &builder, std::uint32_t level, ir::NodeId first, ir::Operand &result,
             OperatorCalls &operators)
        : m_builder(builder),
          m_level(level),
          m_graph(builder.graph),
          m_first(first),
          m_result(result),
          m_operators(operators)
    {
    }

    CallStack::Changes run();

private:
    using Items = std::vector<ir::Operand>;

    void simplify(const ir::NodeRef &node);
    std::optional<ir::NodeRef> making(const ir::Operand &operand, std::string_view name);
    std::optional<Items> listItems(const ir::Operand &operand);
    std::optional<ir::Operand> entry(const ir::NodeRef &dict, const ir::Operand &key);
    std::optional<ir::Operand> valueOf(const ir::NodeRef &node);
    std::optional<ir::Operand> rankOf(const ir::Operand &tensor);
    std::optional<ir::Operand> lengthOf(const ir::Operand &container);
    std::optional<Items> listSum(const ir::NodeRef &addition);
    void makeList(const ir::NodeRef &node, std::optional<Items> items);
    void replace(ir::ValueId value, const ir::Operand &by);
    void foldUsers();
    void takeBranch(const ir::NodeRef &branch, bool condition);
    void combine(const std::vector<ir::NodeId> &concatenations);
    std::optional<Items> concatenated(const ir::NodeRef &concatenation);
    std::optional<ir::NodeId> concatenationOf(const ir::NodeRef &concatenation);
    bool isUnwritten(ir::ValueId value);

    GraphBuilder &m_builder;
    std::uint32_t m_level;
    ir::Graph &m_graph;
    ir::NodeId m_first;
    ir::Operand &m_result;
    OperatorCalls &m_operators;
    std::optional<AliasSets> m_aliases; ///< made when first asked for
    std::vector<ir::NodeId> m_users;    ///< the nodes that read a value which was replaced by a constant
    CallStack::Changes m_changes;
};

} // namespace cutaway::formats::torchscript
