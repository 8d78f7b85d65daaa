// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diff/outline.h"

#include "core/ops/network/activation.h"
#include "core/ops/operator.h"
#include "core/ops/program/control_flow.h"
#include "core/ops/tensor/cast.h"

#include <algorithm>
#include <array>

namespace cutaway::diff {

namespace {

/// Limit of producers that are recorded for a value that may come out of many branches.
constexpr std::size_t maxProducers = 64;

template <class T>
void addOnce(std::vector<T> &list, const T &item)
{
    if (list.size() < maxProducers && std::ranges::find(list, item) == list.end())
        list.push_back(item);
}

/// The items and weights that a value comes from.
struct Sources {
    std::vector<std::uint32_t> items;
    std::vector<ir::TensorId> weights;

    void add(const Sources &other)
    {
        for (const std::uint32_t item : other.items)
            addOnce(items, item);
        for (const ir::TensorId weight : other.weights)
            addOnce(weights, weight);
    }
};

void addTensors(const ir::Operand &operand, Sources &sources)
{
    if (const auto *tensor = operand.as<ir::TensorId>())
        addOnce(sources.weights, *tensor);
    else if (const auto *list = operand.as<ir::List>())
        for (const ir::Operand &item : list->items)
            addTensors(item, sources);
}

class OutlineBuilder {
public:
    explicit OutlineBuilder(const Side &side)
        : m_function(side.function()),
          m_graph(side.graph()),
          m_shapes(side.analysis.shapes),
          m_sources(m_graph.valueCount()),
          m_isFed(m_graph.valueCount())
    {
    }

    Outline build()
    {
        m_outline.byNode.resize(m_graph.nodeCount());
        for (std::uint32_t i = 0; i < m_graph.valueCount(); ++i)
            if (const auto weight = ir::ValueRef(m_graph, ir::ValueId{i}).weight())
                m_sources[i].weights = {*weight};
        addInputs();
        addRegion(ir::Graph::body);
        for (const ir::Operand &output : m_graph.at(ir::Graph::body).outputs)
            addItem({{}, Role::Output, sourcesOf(output).items, {}});
        return std::move(m_outline);
    }

private:
    std::uint32_t addItem(Item item)
    {
        m_outline.items.push_back(std::move(item));
        return static_cast<std::uint32_t>(m_outline.items.size() - 1);
    }

    void addInputs()
    {
        for (const ir::FunctionInput &input : m_function.inputs)
            if (const auto *value = input.value.as<ir::ValueId>();
                value && input.tensor && input.kind != ir::FunctionInput::Kind::User)
                m_sources[value->index].weights = {*input.tensor};
        const std::vector<bool> isBound = boundInputs(m_function);
        for (const ir::ValueId value : m_graph.at(ir::Graph::body).inputs)
            if (!isBound[value.index]) {
                m_sources[value.index].items = {addItem({{}, Role::Input, {}, {}})};
                m_isFed[value.index] = true;
            }
    }

    Sources sourcesOf(const ir::Operand &operand) const
    {
        Sources sources;
        addTensors(operand, sources);
        forEachValue(operand, [&](ir::ValueId value) { sources.add(m_sources[value.index]); });
        return sources;
    }

    Sources readBy(const ir::NodeRef &node) const
    {
        Sources sources;
        for (const ir::Argument &argument : node->arguments)
            sources.add(sourcesOf(argument.value));
        return sources;
    }

    void addRegion(ir::RegionId region)
    {
        for (const ir::NodeRef node : ir::nodesOf(m_graph, region)) {
            const Sources read = readBy(node);
            feed(node);
            const std::uint32_t item =
                addItem({node, m_isDead ? Role::Aside : roleOf(node, read), read.items, read.weights});
            m_outline.byNode[node.id().index] = item;
            if (!node->regions.empty())
                addRegions(node, read);
            else
                giveResults(node, item, read);
        }
    }

    void giveResults(const ir::NodeRef &node, std::uint32_t item, const Sources &read)
    {
        Sources made{{item}, {}};
        if (read.items.empty() && m_outline.items[item].role == Role::Plumbing)
            made.weights = read.weights; // a transposed or dequantized weight counts as the weight itself
        for (const ir::ValueId output : node->outputs)
            m_sources[output.index] = made;
    }

    /// Records whether the results of a node depend on the elements of inputs. The results of a node that makes a
    /// tensor do not: it reads only the sizes of its inputs.
    void feed(const ir::NodeRef &node)
    {
        bool isFed = false;
        for (const ir::Argument &argument : node->arguments)
            forEachValue(argument.value,
                         [&](ir::ValueId value) { isFed = isFed || (m_isFed[value.index] && isData(value)); });
        for (const ir::RegionId region : node->regions)
            for (const ir::ValueId input : m_graph.at(region).inputs)
                m_isFed[input.index] = true;
        isFed = (isFed && ops::categoryOf(node) != ops::Category::Creation) || !node->regions.empty();
        for (const ir::ValueId output : node->outputs)
            m_isFed[output.index] = isFed;
    }

    /// Whether the node computes integers that are the same for all inputs: sizes, positions, indices.
    bool computesPlaces(const ir::NodeRef &node) const
    {
        return std::ranges::all_of(node->outputs, [&](ir::ValueId output) {
            const auto *tensor = ops::asTensor(m_shapes.of(output));
            return !m_isFed[output.index] && tensor
                && (tensor->dtype == ir::DType::Int64 || tensor->dtype == ir::DType::Int32);
        });
    }

    void addRegions(const ir::NodeRef &node, const Sources &read)
    {
        const auto taken = takenBranch(node);
        if (taken)
            m_outline.taken.emplace(node.id(), *taken);
        for (std::size_t r = 0; r < node->regions.size(); ++r) {
            const ir::Region &region = node.region(r);
            for (const ir::ValueId input : region.inputs)
                m_sources[input.index] = read;
            const bool wasDead = m_isDead;
            m_isDead = m_isDead || (taken && *taken != r);
            addRegion(node->regions[r]);
            m_isDead = wasDead;
            if (taken && *taken != r)
                continue;
            // A loop's region first returns the condition, which is no result of the loop.
            const std::size_t ahead = region.outputs.size() - std::min(region.outputs.size(), node.outputCount());
            for (std::size_t i = 0; i < node.outputCount() && i + ahead < region.outputs.size(); ++i)
                m_sources[node->outputs[i].index].add(sourcesOf(region.outputs[i + ahead]));
        }
    }

    /// Returns the branch that an If takes, if that is known.
    std::optional<std::size_t> takenBranch(const ir::NodeRef &node) const
    {
        if (ops::kindOf(node) != ops::kind::ifElse || node->regions.size() != 2 || node->arguments.empty())
            return {};
        const ir::Operand &condition = node->arguments[0].value;
        std::optional<bool> known;
        if (const auto *constant = condition.as<bool>())
            known = *constant;
        else if (const auto *value = condition.as<ir::ValueId>())
            known = ops::asBool(m_shapes.of(*value));
        return known ? std::optional<std::size_t>(*known ? 0 : 1) : std::nullopt;
    }

    /// Whether a value carries data. A tensor with known elements is a size computation.
    bool isData(ir::ValueId value) const
    {
        const ops::Fact &fact = m_shapes.of(value);
        if (const auto *tensor = ops::asTensor(fact))
            return !tensor->elements;
        if (const auto *list = fact.as<ops::SequenceFact>())
            return std::ranges::any_of(list->each(), [](const ops::Fact &item) { return ops::asTensor(item); });
        return fact.as<ops::AnyFact>() != nullptr || fact.as<ops::DictFact>() != nullptr;
    }

    Role roleOf(const ir::NodeRef &node, const Sources &read) const
    {
        using enum ops::Category;
        if (!node->regions.empty() || std::ranges::none_of(node->outputs, [&](auto value) { return isData(value); }))
            return Role::Aside;
        const ops::Category category = ops::categoryOf(node);
        if (std::ranges::contains(std::array{Convolution, MatrixProduct, Attention, Normalization, Recurrent},
                                  category))
            return Role::Compute;
        if (std::ranges::contains(std::array{ShapeView, Indexing, Creation, ControlFlow}, category))
            return isLookup(node, read) ? Role::Data : Role::Plumbing;
        if (category == Quantization)
            return read.items.empty() && !read.weights.empty() ? Role::Plumbing : Role::Data;
        return isConversion(node) || computesPlaces(node) ? Role::Plumbing : Role::Data;
    }

    /// Whether the node is an embedding: a lookup that moves elements of a weight.
    bool isLookup(const ir::NodeRef &node, const Sources &read) const
    {
        if (read.items.empty() || ops::categoryOf(node) != ops::Category::Indexing)
            return false;
        const Sources moved = sourcesOf(node->arguments[0].value);
        return moved.items.empty() && !moved.weights.empty();
    }

    static bool isConversion(const ir::NodeRef &node)
    {
        const ops::Operator *row = ops::findOperator(node.dialect(), node.opName());
        const ops::OperatorKind kind = ops::kindOf(node);
        return kind == ops::kind::dropout || kind == ops::kind::castLike || (row && row->traits.keepsElements);
    }

    const ir::Function &m_function;
    const ir::Graph &m_graph;
    const analysis::Shapes &m_shapes;
    std::vector<Sources> m_sources; ///< by ValueId
    std::vector<bool> m_isFed;      ///< by ValueId: whether the elements depend on an input
    Outline m_outline;
    bool m_isDead = false;
};

} // namespace

std::vector<bool> boundInputs(const ir::Function &function)
{
    std::vector<bool> isBound(function.graph.valueCount());
    for (const ir::FunctionInput &input : function.inputs)
        if (const auto *value = input.value.as<ir::ValueId>(); value && input.kind != ir::FunctionInput::Kind::User)
            isBound[value->index] = true;
    return isBound;
}

Outline outlineOf(const Side &side) { return OutlineBuilder(side).build(); }

} // namespace cutaway::diff
