// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/matching/values.h"

#include "core/analysis/shapes.h"
#include "core/evaluate/evaluate.h"
#include "core/ir/context.h"
#include "core/ir/dtype.h"
#include "core/ir/names.h"
#include "core/ir/node_ref.h"
#include "core/ir/tensors/random_numbers.h"
#include "core/sequence/matching/leaves.h"
#include "core/symbolic/evaluate.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <set>

namespace cutaway::sequence {

namespace {

using compute::Array;
using compute::Value;

/// The limit of work for one mapping: operations, of which the evaluator does some hundred million a second, and
/// elements of all values together.
constexpr std::int64_t maxWork = std::int64_t{1} << 29;
constexpr std::int64_t maxElements = std::int64_t{1} << 24;

/// Returns sizes for symbols: the file's example, else a number that depends only on the symbol's name, so that both
/// graphs have the same.
symbolic::Bindings bindingsOf(const ir::Model &model)
{
    symbolic::Bindings bindings;
    for (const ir::Symbol &symbol : model.symbols) {
        const auto drawn = static_cast<std::int64_t>(4 + 2 * (std::hash<std::string>{}(symbol.name) % 5));
        bindings[symbol.name] = std::clamp(symbol.hint.value_or(drawn), symbol.min.value_or(2),
                                           std::max(symbol.max.value_or(1 << 20), symbol.min.value_or(2)));
    }
    return bindings;
}

std::optional<compute::Sizes> sizesOf(const ops::TensorFact &tensor)
{
    if (!tensor.shape || !tensor.dtype)
        return std::nullopt;
    compute::Sizes sizes;
    for (const ir::Dim &dim : *tensor.shape) {
        const auto *number = std::get_if<std::int64_t>(&dim);
        if (!number || *number < 0)
            return std::nullopt;
        sizes.push_back(*number);
    }
    return sizes;
}

std::optional<std::int64_t> countIn(const compute::Sizes &sizes)
{
    std::int64_t count = 1;
    for (const std::int64_t size : sizes)
        if (__builtin_mul_overflow(count, size, &count))
            return std::nullopt;
    return count;
}

/// The ranges of drawn elements. Elements of vectors are positive, since these may be variances and scales; those of
/// other tensors of floats have both signs.
constexpr ir::NumberRange rangeOfVectors{0.5, 1.5}, rangeOfWholes{0, 1};

std::optional<ir::NumberRange> rangeOf(bool isFloat, std::size_t rank)
{
    if (!isFloat)
        return rangeOfWholes;
    return rank == 1 ? std::optional(rangeOfVectors) : std::nullopt;
}

/// Draws a tensor of random elements; nothing if its type is not known, or has no random elements.
std::optional<Value> drawn(const ops::Fact &fact, std::uint32_t seed)
{
    const auto *tensor = ops::asTensor(fact);
    const auto sizes = tensor ? sizesOf(*tensor) : std::nullopt;
    const auto count = sizes ? countIn(*sizes) : std::nullopt;
    if (!count || *count > maxElements || !compute::isComputable(*tensor->dtype))
        return std::nullopt;
    const bool isFloat = ir::isFloat(*tensor->dtype);
    const ir::DType from = isFloat ? ir::DType::Float32 : *tensor->dtype;
    Array array{from, *sizes,
                ir::randomNumbers(from, static_cast<std::size_t>(*count), seed, rangeOf(isFloat, sizes->size()))};
    auto converted = compute::converted(array, *tensor->dtype);
    return converted ? std::optional<Value>(std::move(*converted)) : std::nullopt;
}
/// Returns the inputs of a function, followed by the weights that its nodes read and that are no inputs.
std::vector<Leaf> leavesOf(const ir::Model &model, const analysis::Shapes &shapes)
{
    const ir::Function &function = model.functions.front();
    const auto text = [&](ir::NameId name) { return model.context->text(name); };
    std::vector<Leaf> leaves;
    std::map<ir::ValueId, std::size_t> places;
    const auto add = [&](ir::ValueId value, std::string_view name, std::string_view target) {
        const ops::Fact &fact = shapes.of(value);
        const auto *tensor = ops::asTensor(fact);
        if (places.emplace(value, leaves.size()).second)
            leaves.push_back({value, name, target, fact, tensor && sizesOf(*tensor), {}});
    };
    for (const ir::FunctionInput &input : function.inputs)
        if (const auto *value = input.value.as<ir::ValueId>())
            add(*value, text(input.name), text(input.target));
    std::size_t read = 0;
    for (const ir::NodeRef node : ir::nodesOf(function.graph))
        for (const ir::Argument &argument : node->arguments)
            ir::forEachValue(argument.value, [&](ir::ValueId value) {
                const ir::ValueRef ref(function.graph, value);
                if (const auto weight = ref.weight())
                    add(value, ref.name(), text(model.at(*weight).name));
                if (const auto place = places.find(value); place != places.end() && !leaves[place->second].read)
                    leaves[place->second].read = read++;
            });
    return leaves;
}

/// One of the two graphs, with its computed values.
struct ComputedGraph {
    explicit ComputedGraph(const ir::Model &of, const Task &task)
        : model(of),
          function(of.functions.front()),
          shapes(analysis::inferShapes(of, ir::FunctionId{0}, {.bindings = bindingsOf(of), .inputs = {}}, task)),
          leaves(leavesOf(of, shapes)),
          values(shapes.facts.size())
    {
    }

    const ir::Model &model;
    const ir::Function &function;
    analysis::Shapes shapes;
    std::vector<Leaf> leaves;
    std::vector<std::optional<Value>> values;
    std::vector<bool> isLent = std::vector<bool>(values.size()); ///< by ValueId: whether it comes from the other graph
};

bool isTooMuch(const ComputedGraph &graph)
{
    const auto *flops = std::get_if<std::int64_t>(&graph.shapes.totalAtLeast.flops);
    std::int64_t elements = 0;
    for (const ops::Fact &fact : graph.shapes.facts) {
        const auto *tensor = ops::asTensor(fact);
        const auto sizes = tensor ? sizesOf(*tensor) : std::nullopt;
        const auto count = sizes ? countIn(*sizes) : std::nullopt;
        if (count && __builtin_add_overflow(elements, *count, &elements))
            return true;
    }
    return (flops && *flops > maxWork) || elements > maxElements;
}

/// Gives a leaf elements. Leaves with the same `position` get the same elements.
void giveLeaf(ComputedGraph &graph, ir::ValueId value, std::size_t position)
{
    const ops::Fact &fact = graph.shapes.of(value);
    graph.values[value.index] =
        ops::asTensor(fact) ? drawn(fact, static_cast<std::uint32_t>(position) + 1) : compute::valueOf(fact);
}
/// Returns a number that is the same for nodes with the same operator and operands.
std::uint32_t seedOf(const ComputedGraph &graph, const ir::NodeRef &node, std::size_t output)
{
    std::size_t hash = std::hash<std::string>{}(node.fullName()) + output;
    for (const ir::Argument &argument : node->arguments)
        ir::forEachValue(argument.value, [&](ir::ValueId value) {
            if (const auto print = printOf(graph.values[value.index])) // rounded, as decompositions round differently
                hash = hash * 31
                    + static_cast<std::size_t>(std::llround(1e3 * print->sums[0] / (print->norm + 1e-9)) + 4000);
        });
    return static_cast<std::uint32_t>(hash ^ (hash >> 32)) | 0x80000000U;
}

/// Lends results to nodes that cannot be computed: results that the other graph, which has been computed, has from the
/// same operands.
class Lender {
public:
    explicit Lender(const ComputedGraph &graph) : m_graph(graph), m_prints(graph.values.size())
    {
        for (std::size_t i = 0; i < m_prints.size(); ++i)
            m_prints[i] = printOf(graph.values[i]);
    }

    /// Returns the first result of the other graph that has the shape of the node's result, is on the same line of
    /// code, and depends on all operands of the node; nullptr if there is none.
    const Value *resultFor(const ComputedGraph &borrower, const ir::NodeRef &node) const
    {
        const auto *fact = node.outputCount() > 0 ? ops::asTensor(borrower.shapes.of(node->outputs[0])) : nullptr;
        const auto shape = fact ? sizesOf(*fact) : std::nullopt;
        if (!shape)
            return nullptr;
        std::vector<ValuePrint> operands;
        for (const ir::Argument &argument : node->arguments)
            ir::forEachValue(argument.value, [&](ir::ValueId value) {
                if (auto print = printOf(borrower.values[value.index]); print && !print->isPlain)
                    operands.push_back(std::move(*print));
            });
        const auto line = ir::sourceOf(node);
        for (const ir::NodeRef candidate : ir::nodesOf(m_graph.function.graph)) {
            const auto candidateLine = ir::sourceOf(candidate);
            if (candidate.outputCount() == 0 || (line && candidateLine && *line != *candidateLine))
                continue;
            const ir::ValueId output = candidate->outputs[0];
            if (m_prints[output.index] && m_prints[output.index]->shape == *shape && dependsOnAll(candidate, operands))
                return &*m_graph.values[output.index];
        }
        return nullptr;
    }

private:
    bool dependsOnAll(const ir::NodeRef &node, const std::vector<ValuePrint> &operands) const
    {
        std::vector<bool> isFound(operands.size()), isSeen(m_prints.size());
        std::vector<ir::NodeRef> open{node};
        constexpr std::size_t mostNodes = 64; // the limit of nodes in the decomposition of one node
        for (std::size_t next = 0; next < open.size() && next < mostNodes; ++next)
            for (const ir::Argument &argument : open[next]->arguments)
                ir::forEachValue(argument.value, [&](ir::ValueId value) {
                    if (isSeen[value.index])
                        return;
                    isSeen[value.index] = true;
                    for (std::size_t i = 0; i < operands.size(); ++i)
                        isFound[i] =
                            isFound[i] || (m_prints[value.index] && m_prints[value.index]->isSame(operands[i]));
                    if (const auto producer = ir::ValueRef(m_graph.function.graph, value).producer())
                        open.push_back(*producer);
                });
        return std::ranges::all_of(isFound, std::identity());
    }

    const ComputedGraph &m_graph;
    std::vector<std::optional<ValuePrint>> m_prints;
};

/// Computes the nodes, and returns how many could not be computed. `other` is the other graph, if it is computed
/// already.
std::size_t computeAll(ComputedGraph &graph, const ComputedGraph *other, const Task &task)
{
    const std::optional<Lender> lender = other ? std::optional<Lender>(std::in_place, *other) : std::nullopt;
    evaluate::Evaluator evaluator(graph.model, {.elements = maxElements, .stop = task.stop});
    const evaluate::Evaluator::Known known = [&](ir::ValueId id) -> const Value * {
        return graph.values[id.index] ? &*graph.values[id.index] : nullptr;
    };
    std::size_t failures = 0;
    for (const ir::NodeRef node : ir::nodesOf(graph.function.graph)) {
        if (task.stopRequested())
            break;
        auto results = node->regions.empty() ? evaluator.results(node, known)
                                             : Result<compute::Values>(unreadable("it has regions"));
        failures += !results;
        const Value *lent = !results && lender ? lender->resultFor(graph, node) : nullptr;
        for (std::size_t i = 0; i < node.outputCount(); ++i) {
            const ir::ValueId output = node->outputs[i];
            graph.isLent[output.index] = lent && i == 0;
            if (results && i < results->size())
                graph.values[output.index] = std::move((*results)[i]);
            else if (lent && i == 0)
                graph.values[output.index] = *lent;
            else
                graph.values[output.index] = drawn(graph.shapes.of(output), seedOf(graph, node, i));
        }
    }
    return failures;
}

std::vector<std::optional<ValuePrint>> printsOf(const ComputedGraph &graph)
{
    std::vector<std::optional<ValuePrint>> prints;
    for (std::size_t i = 0; i < graph.values.size(); ++i) {
        prints.push_back(printOf(graph.values[i]));
        if (prints.back())
            prints.back()->isLent = graph.isLent[i];
    }
    return prints;
}

/// Draws elements for the leaves of both graphs, equal ones for paired leaves. `positions`: by leaf of `b`, the leaf of
/// `a` that it is paired with.
void giveLeaves(ComputedGraph &a, ComputedGraph &b, const std::vector<std::size_t> &positions)
{
    for (std::size_t i = 0; i < a.leaves.size(); ++i)
        giveLeaf(a, a.leaves[i].value, i);
    for (std::size_t i = 0; i < b.leaves.size(); ++i) {
        giveLeaf(b, b.leaves[i].value, positions[i]);
        if (positions[i] >= a.leaves.size())
            continue;
        std::optional<Value> &ofA = a.values[a.leaves[positions[i]].value.index];
        std::optional<Value> &ofB = b.values[b.leaves[i].value.index];
        if (!ofB) // one of the texts may lack the type of a weight
            ofB = ofA;
        else if (!ofA)
            ofA = ofB;
    }
}

ComputedValues computedWith(ComputedGraph &a, ComputedGraph &b, const std::vector<std::size_t> &positions,
                            const Task &task)
{
    giveLeaves(a, b, positions);
    // Each graph takes the values that it cannot compute from the other one, and may then compute more nodes.
    constexpr int rounds = 3;
    std::size_t failures = computeAll(b, nullptr, task);
    failures += computeAll(a, &b, task);
    for (int round = 1; round < rounds && failures > 0; ++round) {
        failures = computeAll(b, &a, task);
        failures += computeAll(a, &b, task);
    }
    return {printsOf(a), printsOf(b)};
}

/// Returns how many values of `b` are equal to values of `a`.
std::size_t agreement(const ComputedValues &values)
{
    const PrintIndex ofA(values.a);
    return static_cast<std::size_t>(std::ranges::count_if(
        values.b, [&](const auto &print) { return print && !print->isPlain && !ofA.sameAs(*print).empty(); }));
}

} // namespace

ComputedValues computedValues(const ir::Model &a, const ir::Model &b, const Task &task)
{
    ComputedGraph graphA(a, task), graphB(b, task);
    if (isTooMuch(graphA) || isTooMuch(graphB))
        return {std::vector<std::optional<ValuePrint>>(graphA.values.size()),
                std::vector<std::optional<ValuePrint>>(graphB.values.size())};
    const auto byPosition = pairedLeaves(graphA.leaves, graphB.leaves, Pairing::ByPosition);
    const auto byUse = pairedLeaves(graphA.leaves, graphB.leaves, Pairing::ByUse);
    ComputedValues values = computedWith(graphA, graphB, byPosition, task);
    if (byUse == byPosition)
        return values;
    ComputedValues others = computedWith(graphA, graphB, byUse, task);
    return agreement(others) > agreement(values) ? others : values;
}

} // namespace cutaway::sequence
