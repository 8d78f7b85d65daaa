// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A node is plumbing by what it reads: numbers, plumbing, constants of whole numbers, and inputs of whole numbers. So a
// mask is, however many steps make it, and an embedding is not, since it reads its weight. What draws, samples or
// multiplies matrices never is: the categories below only arrange, choose and compute element by element.

#include "core/layout/plumbing.h"

#include "core/ir/context.h"
#include "core/ir/node_ref.h"
#include "core/ops/operator.h"
#include "core/ops/tensor/size.h"

#include <algorithm>

namespace cutaway::layout {

namespace {

/// Numbers, flags, texts, and lists of these: no tensor is in it, and none may be.
bool isPlain(const ir::Context &context, ir::TypeId type)
{
    const ir::Type &t = context.at(type);
    if (const auto *plain = std::get_if<ir::PlainType>(&t))
        return plain->kind != ir::PlainType::Kind::Any;
    const auto *compound = std::get_if<ir::CompoundType>(&t);
    return compound ? std::ranges::all_of(compound->elements, [&](ir::TypeId e) { return isPlain(context, e); })
                    : std::holds_alternative<ir::NumberType>(t);
}

/// Flags and whole numbers as indices and masks have; those of eight bits are rather pictures and quantized data.
bool isCounted(std::optional<ir::DType> dtype)
{
    return dtype == ir::DType::Bool || dtype == ir::DType::Int32 || dtype == ir::DType::Int64;
}

/// Exporters write numbers as weights.
bool isSingle(const std::optional<ir::Shape> &shape)
{
    return shape && std::ranges::all_of(*shape, [](const ir::Dim &dim) { return dim == ir::Dim(std::int64_t{1}); });
}

bool isPreparing(ops::Category category)
{
    using enum ops::Category;
    switch (category) {
    case Elementwise:
    case Reduction:
    case ShapeView:
    case Indexing:
    case Creation:
    case ControlFlow:
        return true;
    default:
        return false;
    }
}

class PlumbingFinder {
public:
    explicit PlumbingFinder(const ir::Graph &graph)
        : m_graph(graph),
          m_context(graph.context()),
          m_found(graph.nodeCount())
    {
    }

    std::vector<bool> find()
    {
        std::vector<ir::RegionId> pending{ir::Graph::body};
        while (!pending.empty()) {
            const ir::RegionId region = pending.back();
            pending.pop_back();
            for (const ir::NodeRef node : ir::nodesOf(m_graph, region)) {
                m_found[node.id().index] = node->regions.empty() && isPlumbing(node);
                pending.insert(pending.end(), node->regions.begin(), node->regions.end());
            }
        }
        return std::move(m_found);
    }

private:
    bool isPlumbing(const ir::NodeRef &node) const
    {
        const auto row = ops::findRow(node.dialect(), node.opName());
        if (!row || row->row->traits.effect == ops::Effect::Random)
            return false;
        if (std::ranges::all_of(node->outputs, [&](ir::ValueId v) { return isPlain(m_context, m_graph.at(v).type); }))
            return isPreparing(row->row->category);
        const ops::OperatorKind kind = ops::kindOf(node);
        if (kind == ops::kind::shape || kind == ops::kind::numel)
            return true;
        return isPreparing(row->row->category) && readsPlumbing(node);
    }

    bool readsPlumbing(const ir::NodeRef &node) const
    {
        bool all = true;
        for (const ir::Argument &argument : node->arguments) {
            forEachValue(argument.value, [&](ir::ValueId value) { all = all && isSource({m_graph, value}); });
            all = all && !argument.value.as<ir::TensorId>();
        }
        return all;
    }

    bool isSource(const ir::ValueRef &value) const
    {
        if (isPlain(m_context, value->type))
            return true;
        if (const auto maker = value.producer())
            return m_found[maker->id().index];
        const ir::TensorType *tensor = value.tensorType();
        return tensor && (isCounted(tensor->dtype) || (value.weight() && isSingle(tensor->shape)));
    }

    const ir::Graph &m_graph;
    const ir::Context &m_context;
    std::vector<bool> m_found;
};

} // namespace

std::vector<bool> plumbingOf(const ir::Graph &graph) { return PlumbingFinder(graph).find(); }

} // namespace cutaway::layout
