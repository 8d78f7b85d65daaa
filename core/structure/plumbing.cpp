// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Whether a node is plumbing depends on what it reads: numbers, plumbing, integer constants, and integer inputs. So a
// mask is plumbing, however many steps make it, and an embedding is not, since it reads its weight. A node that draws
// random numbers, samples or multiplies matrices never is: only nodes of the categories below can be, which arrange,
// choose and compute element by element.
//
// TorchScript does not record the dtype of an input. An input counts as integer if a value that is computed from it in
// that way is filled with, or multiplied by, the very low number by which a mask hides elements from a softmax.

#include "core/structure/plumbing.h"

#include "core/ir/context.h"
#include "core/ir/node_ref.h"
#include "core/ops/operator.h"
#include "core/ops/tensor/arithmetic.h"
#include "core/ops/tensor/size.h"
#include "core/ops/tensor/view.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <set>

namespace cutaway::structure {

namespace {

/// Whether a dtype is one of flags, or of integers that are used as indices and masks. Integers of eight bits are
/// rather pictures and quantized data.
bool isCounted(std::optional<ir::DType> dtype)
{
    return dtype == ir::DType::Bool || dtype == ir::DType::Int32 || dtype == ir::DType::Int64;
}

/// Whether a shape has one element: exporters write numbers as weights.
bool isSingle(const std::optional<ir::Shape> &shape)
{
    return shape && std::ranges::all_of(*shape, [](const ir::Dim &dim) { return dim == ir::Dim(std::int64_t{1}); });
}

/// Whether a number is so low that only masks are filled with it: minus infinity, the lowest number of a dtype, -10000.
bool isLowest(const ir::Operand &operand)
{
    constexpr double low = -9999;
    if (const auto *real = operand.as<double>())
        return *real <= low;
    const auto *whole = operand.as<std::int64_t>();
    // The smallest integers do not count: exporters use them as the open end of a slice.
    return whole && *whole <= -10000 && *whole > std::numeric_limits<std::int64_t>::min() / 2;
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
        findMasks();
        findPlumbing();
        return std::move(m_found);
    }

private:
    void findPlumbing()
    {
        std::vector<ir::RegionId> pending{ir::Graph::body};
        while (!pending.empty()) {
            const ir::RegionId region = pending.back();
            pending.pop_back();
            for (const ir::NodeRef node : ir::nodesOf(m_graph, region)) {
                m_found[node.id().index] = node->regions.empty() && (isCopyOfWeight(node) || isPlumbing(node));
                pending.insert(pending.end(), node->regions.begin(), node->regions.end());
            }
        }
    }

    /// Finds the inputs of unknown dtype from which masks are computed, by assuming for a moment that all of them are
    /// integers.
    void findMasks()
    {
        const std::vector<ir::ValueId> &inputs = m_graph.at(ir::Graph::body).inputs;
        std::ranges::copy_if(inputs, std::inserter(m_masks, m_masks.end()),
                             [&](ir::ValueId input) { return isOfUnknown({m_graph, input}); });
        if (m_masks.empty())
            return;
        findPlumbing();
        std::erase_if(m_masks, [&](ir::ValueId input) { return !leadsToLowest(input); });
    }

    static bool isOfUnknown(const ir::ValueRef &value)
    {
        const ir::TensorType *tensor = value.tensorType();
        return tensor && !tensor->dtype && !value.weight();
    }

    /// Whether a node is (1 - mask) · c, where c is a weight of one element.
    bool isScaledComplement(const ir::NodeRef &node) const
    {
        bool isScaled = false, isComplement = false;
        for (const ir::Argument &argument : node->arguments)
            forEachValue(argument.value, [&](ir::ValueId id) {
                const ir::ValueRef value(m_graph, id);
                const auto maker = value.producer();
                isScaled = isScaled || (value.weight() && value.tensorType() && isSingle(value.tensorType()->shape));
                isComplement = isComplement || (maker && ops::kindOf(*maker) == ops::kind::rsub);
            });
        return ops::kindOf(node) == ops::kind::mul && isScaled && isComplement;
    }

    /// Whether plumbing that depends on an input uses one of the very low numbers.
    bool leadsToLowest(ir::ValueId input) const
    {
        std::vector<ir::ValueId> pending{input};
        std::set<ir::NodeId> seen;
        while (!pending.empty()) {
            const ir::ValueId value = pending.back();
            pending.pop_back();
            for (const ir::Use &use : m_graph.at(value).uses) {
                const auto *id = std::get_if<ir::NodeId>(&use);
                if (!id || !m_found[id->index] || !seen.insert(*id).second)
                    continue;
                const ir::NodeRef node(m_graph, *id);
                if (std::ranges::any_of(node->arguments, [](const ir::Argument &a) { return isLowest(a.value); })
                    || isScaledComplement(node))
                    return true;
                pending.insert(pending.end(), node->outputs.begin(), node->outputs.end());
            }
        }
        return false;
    }

    /// Whether a node copies a weight: ONNX's exporters write equal weights once, and a copy for each further name.
    bool isCopyOfWeight(const ir::NodeRef &node) const
    {
        const auto value = ops::kindOf(node) == ops::kind::alias && !node->arguments.empty()
            ? ir::valueOf(m_graph, &node->arguments[0].value)
            : std::nullopt;
        return value && value->weight();
    }

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
        return isPreparing(row->row->category) && readsPlumbing(node, row->row->category);
    }

    bool readsPlumbing(const ir::NodeRef &node, ops::Category category) const
    {
        bool all = true, any = false, tensor = false;
        for (const ir::Argument &argument : node->arguments) {
            forEachValue(argument.value, [&](ir::ValueId value) {
                any = true;
                all = all && isSource({m_graph, value});
            });
            tensor = tensor || argument.value.as<ir::TensorId>();
        }
        // A node that makes a tensor of given sizes may read a tensor: ONNX's ConstantOfShape reads the number that it
        // repeats.
        return all && (!tensor || (any && category == ops::Category::Creation));
    }

    bool isSource(const ir::ValueRef &value) const
    {
        if (isPlain(m_context, value->type))
            return true;
        if (const auto maker = value.producer())
            return m_found[maker->id().index] && !isCopyOfWeight(*maker);
        const ir::TensorType *tensor = value.tensorType();
        if (m_masks.contains(value.id()))
            return true;
        return tensor && (isCounted(tensor->dtype) || (value.weight() && isSingle(tensor->shape)));
    }

    const ir::Graph &m_graph;
    const ir::Context &m_context;
    std::vector<bool> m_found;
    std::set<ir::ValueId> m_masks; ///< inputs that are taken for masks
};

} // namespace

bool isPlain(const ir::Context &context, ir::TypeId type)
{
    const ir::Type &t = context.at(type);
    if (const auto *plain = std::get_if<ir::PlainType>(&t))
        return plain->kind != ir::PlainType::Kind::Any;
    const auto *compound = std::get_if<ir::CompoundType>(&t);
    return compound ? std::ranges::all_of(compound->elements, [&](ir::TypeId e) { return isPlain(context, e); })
                    : std::holds_alternative<ir::NumberType>(t);
}

std::vector<bool> plumbingOf(const ir::Graph &graph) { return PlumbingFinder(graph).find(); }

} // namespace cutaway::structure
