// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/values/activations.h"

#include "core/base/result.h"
#include "core/ir/model_format.h"
#include "core/ir/names.h"
#include "core/ir/operands.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/ops/operator.h"
#include "core/tensor/numbers.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace cutaway::run {

namespace {

constexpr double noNumber = std::numeric_limits<double>::quiet_NaN();

double magnitudeOf(const tensor::Statistics &statistics)
{
    if (statistics.nans > 0)
        return noNumber;
    if (statistics.infinities() > 0)
        return std::numeric_limits<double>::infinity();
    return std::max(std::abs(statistics.min), std::abs(statistics.max));
}

void add(Activations &activations, ir::ValueId value, const protocol::Tensor &tensor)
{
    auto more = activationOf(tensor);
    if (!more)
        return;
    Activation &activation = activations.values[value];
    more->statistics.add(activation.statistics);
    activation = *std::move(more);
}

/// Returns the results of nodes, also inside regions, that are known to be tensors; in a model of ONNX only those
/// with a name.
std::vector<Watched> watchedOf(const Subject &subject, const analysis::Shapes &shapes)
{
    const ir::Graph &graph = subject.model.at(subject.function).graph;
    std::vector<Watched> watched;
    for (std::uint32_t i = 0; i < graph.nodeCount(); ++i) {
        const ir::NodeRef node(graph, ir::NodeId{i});
        if (node->removed)
            continue;
        for (const ir::ValueRef value : node.outputs()) {
            const bool canBeAsked = !ir::isOnnx(subject.model) || !value.name().empty();
            if (canBeAsked && (ops::asTensor(shapes.of(value)) || value.tensorType()))
                watched.push_back({value, knownBytes(shapes, value)});
        }
    }
    return watched;
}

Result<void> addInputs(Activations &activations, const Inputs &inputs)
{
    for (const Input &input : inputs) {
        if (const auto *given = std::get_if<protocol::Tensor>(&input.content)) {
            add(activations, input.value, *given);
        } else if (const auto *drawn = std::get_if<protocol::DrawnTensor>(&input.content)) {
            CUTAWAY_TRY(const auto tensor, tensorOf(*drawn));
            add(activations, input.value, tensor);
        }
    }
    return {};
}

/// Finds the nodes at which numbers cease to be finite.
class FirstOnes {
public:
    FirstOnes(const ir::Model &model, ir::FunctionId function, const Activations &activations)
        : m_model(model),
          m_graph(model.at(function).graph),
          m_activations(activations)
    {
    }

    std::vector<NotFinite> find()
    {
        visit(ir::Graph::body);
        return std::move(m_found);
    }

private:
    /// A summary of the values that a node reads.
    struct Read {
        bool hasNaN = false, hasInfinity = false;
        double largest = noNumber;

        void add(const tensor::Statistics &statistics)
        {
            hasNaN |= statistics.nans > 0;
            hasInfinity |= statistics.infinities() > 0;
            if (statistics.finite > 0)
                largest = std::fmax(largest, std::max(std::abs(statistics.min), std::abs(statistics.max)));
        }
    };

    /// Checks the nodes of a region. Nodes in a node's own regions come first, since they run before the node's results
    /// are there.
    void visit(ir::RegionId region)
    {
        for (const ir::NodeRef node : ir::nodesOf(m_graph, region)) {
            for (const ir::RegionId inner : node->regions)
                visit(inner);
            check(node);
        }
    }

    void check(const ir::NodeRef &node)
    {
        const ops::Operator *row = ops::findOperator(node.dialect(), node.opName());
        if (row && row->traits.uninitialized) // uninitialized memory may hold anything
            return;
        for (const ir::ValueRef value : node.outputs()) {
            const Activation *made = m_activations.of(value);
            if (!made || made->statistics.finite == made->statistics.count)
                continue;
            const Read read = readBy(node);
            if (made->statistics.nans > 0 && !read.hasNaN)
                m_found.push_back({NotFinite::Kind::NaN, node, value, made->statistics.nans, read.largest});
            if (made->infinities() > 0 && !read.hasInfinity)
                m_found.push_back({NotFinite::Kind::Infinity, node, value, made->infinities(), read.largest});
        }
    }

    Read readBy(const ir::NodeRef &node) const
    {
        Read read;
        const auto add = [&](const ir::Operand &operand) { addRead(read, operand); };
        for (const ir::Argument &argument : node->arguments)
            ir::forEachOperand(argument.value, add);
        for (const ir::RegionId region : node->regions)
            for (const ir::Operand &output : m_graph.at(region).outputs)
                ir::forEachOperand(output, add);
        return read;
    }

    void addRead(Read &read, const ir::Operand &operand) const
    {
        if (const auto *value = operand.as<ir::ValueId>()) {
            if (const Activation *activation = m_activations.of(*value))
                read.add(activation->statistics);
            else if (const auto weight = ir::ValueRef(m_graph, *value).weight())
                addWeight(read, *weight);
            else if (const auto producer = ir::ValueRef(m_graph, *value).producer())
                addConstant(read, ir::NodeRef(m_graph, *producer));
        } else if (const auto *weight = operand.as<ir::TensorId>()) {
            addWeight(read, *weight);
        } else if (const auto *number = operand.as<double>()) {
            read.hasInfinity |= std::isinf(*number);
        }
    }

    /// Adds a number that prim::Constant makes.
    void addConstant(Read &read, const ir::NodeRef &node) const
    {
        for (const ir::Argument &argument : node->arguments)
            if (const auto *number = argument.value.as<double>())
                read.hasInfinity |= std::isinf(*number);
    }

    /// Adds a weight that a node reads. A NaN among weights is not intended: the node that reads it counts as the one
    /// that makes it.
    void addWeight(Read &read, ir::TensorId weight) const
    {
        const auto values = tensor::Values::of(m_model, weight);
        const auto summary =
            values ? tensor::summarize(*values, {.bins = 1, .channelDim = {}}) : std::unexpected(values.error());
        if (!summary)
            return;
        tensor::Statistics statistics = summary->whole;
        statistics.nans = 0;
        read.add(statistics);
    }

    const ir::Model &m_model;
    const ir::Graph &m_graph;
    const Activations &m_activations;
    std::vector<NotFinite> m_found;
};

struct Figure {
    std::string_view name;
    double (*of)(const tensor::Statistics &statistics);
};

double share(std::uint64_t part, std::uint64_t whole)
{
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

constexpr std::array figures{
    Figure{"magnitude", magnitudeOf},
    Figure{"min", [](const tensor::Statistics &of) { return of.min; }},
    Figure{"max", [](const tensor::Statistics &of) { return of.max; }},
    Figure{"mean", [](const tensor::Statistics &of) { return of.mean; }},
    Figure{"std", [](const tensor::Statistics &of) { return of.deviation(); }},
    Figure{"zeros", [](const tensor::Statistics &of) { return share(of.zeros, of.count); }},
    Figure{"nan", [](const tensor::Statistics &of) { return static_cast<double>(of.nans); }},
    Figure{"inf", [](const tensor::Statistics &of) { return static_cast<double>(of.infinities()); }},
};

} // namespace

double Activation::magnitude() const { return magnitudeOf(statistics); }

const Activation *Activations::of(ir::ValueId value) const
{
    const auto found = values.find(value);
    return found == values.end() ? nullptr : &found->second;
}

std::optional<Activation> activationOf(const protocol::Tensor &tensor)
{
    const auto statistics = tensor::statisticsOf(tensor);
    return statistics ? std::optional(Activation{tensor.dtype, tensor.shape, *statistics}) : std::nullopt;
}

Result<Activations> activationsOf(Backend &backend, const Subject &subject, const Inputs &inputs,
                                  const analysis::Shapes &shapes, const Task &task)
{
    Activations activations;
    CUTAWAY_RETURN_IF_ERROR(addInputs(activations, inputs));
    const auto seen = [&](ir::ValueId value, const protocol::Tensor &tensor) { add(activations, value, tensor); };
    CUTAWAY_TRY(activations.outcome, backend.watch(subject, inputs, watchedOf(subject, shapes), seen, task));
    return activations;
}

namespace {

void addInOrder(std::vector<ir::ValueId> &values, const ir::Graph &graph, ir::RegionId region,
                const Activations &activations)
{
    for (const ir::NodeRef node : ir::nodesOf(graph, region)) {
        for (const ir::RegionId inner : node->regions)
            addInOrder(values, graph, inner, activations);
        std::ranges::copy_if(node->outputs, std::back_inserter(values),
                             [&](ir::ValueId value) { return activations.of(value); });
    }
}

} // namespace

std::vector<ir::ValueId> inOrder(const ir::Graph &graph, const Activations &activations)
{
    std::vector<ir::ValueId> values;
    std::ranges::copy_if(graph.at(ir::Graph::body).inputs, std::back_inserter(values),
                         [&](ir::ValueId value) { return activations.of(value); });
    addInOrder(values, graph, ir::Graph::body, activations);
    return values;
}

std::vector<NotFinite> notFinite(const ir::Model &model, ir::FunctionId function, const Activations &activations)
{
    return FirstOnes(model, function, activations).find();
}

std::vector<node_data::Column> columnsOf(const ir::Function &function, const Activations &activations)
{
    const ir::Graph &graph = function.graph;
    std::vector<node_data::Column> columns;
    for (const Figure &figure : figures)
        columns.push_back(
            {std::string(runPrefix) + std::string(figure.name), std::vector<node_data::Cell>(graph.nodeCount())});
    for (std::uint32_t i = 0; i < graph.nodeCount(); ++i) {
        const ir::NodeRef node(graph, ir::NodeId{i});
        std::optional<tensor::Statistics> whole;
        for (const ir::ValueId value : node->outputs)
            if (const Activation *activation = node->removed ? nullptr : activations.of(value)) {
                whole = whole.value_or(tensor::Statistics());
                whole->add(activation->statistics);
            }
        if (whole && whole->count > 0)
            for (std::size_t column = 0; column < figures.size(); ++column)
                columns[column].cells[i] = figures[column].of(*whole);
    }
    return columns;
}

} // namespace cutaway::run
