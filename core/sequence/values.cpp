// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/values.h"

#include "core/evaluate/evaluate.h"
#include "core/ir/context.h"
#include "core/ir/dtype.h"
#include "core/ir/names.h"
#include "core/ir/node_ref.h"
#include "core/ir/tensors/random_numbers.h"
#include "core/symbolic/evaluate.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace cutaway::sequence {

namespace {

using compute::Array;
using compute::Value;

/// The most work for one mapping: operations, of which the evaluator does some hundred million a second, and elements
/// of all values together.
constexpr std::int64_t maxWork = std::int64_t{1} << 29;
constexpr std::int64_t maxElements = std::int64_t{1} << 24;
/// The rounding that decompositions may differ by, relative to the norm; of floats with few digits more.
constexpr double tolerance = 1e-4;

/// A fixed number from -1 to 1 for each element.
double weightOf(std::uint64_t index, std::uint64_t salt)
{
    std::uint64_t x = index * 0x9e3779b97f4a7c15 + salt * 0xbf58476d1ce4e5b9 + 0x94d049bb133111eb;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return static_cast<double>((x ^ (x >> 31)) >> 11) * 0x1p-52 - 1;
}

/// Nothing if there are infinities or no numbers: what follows from them says nothing.
std::optional<ValuePrint> printOf(const Array &array)
{
    ValuePrint print{.shape = array.shape};
    const std::vector<double> elements = compute::floatsOf(array);
    print.isPlain = !ir::isFloat(array.dtype);
    double squares = 0;
    bool isUniform = true;
    for (std::size_t i = 0; i < elements.size(); ++i) {
        const double x = elements[i];
        if (!std::isfinite(x))
            return std::nullopt;
        print.sums[0] += weightOf(i, 1) * x;
        print.sums[1] += weightOf(i, 2) * x;
        squares += x * x;
        isUniform = isUniform && elements[i] == elements[0];
    }
    print.norm = std::sqrt(squares);
    print.isPlain = print.isPlain || isUniform;
    return print;
}

/// Sizes for symbols: the example of the file, else one by the symbol's name, so that both graphs have the same.
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

/// Vectors may be variances and scales, which are positive; other tensors have both signs.
constexpr ir::NumberRange rangeOfVectors{0.5, 1.5}, rangeOfWholes{0, 1};

std::optional<ir::NumberRange> rangeOf(bool isFloat, std::size_t rank)
{
    if (!isFloat)
        return rangeOfWholes;
    return rank == 1 ? std::optional(rangeOfVectors) : std::nullopt;
}

/// A tensor of random elements; nothing where its type is not known or its dtype has none.
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

/// One of the two graphs.
struct ComputedGraph {
    explicit ComputedGraph(const ir::Model &of, const Task &task)
        : model(of),
          function(of.functions.front()),
          shapes(analysis::inferShapes(of, ir::FunctionId{0}, {.bindings = bindingsOf(of), .inputs = {}}, task)),
          values(shapes.facts.size())
    {
    }

    std::string_view text(ir::NameId name) const { return model.context->text(name); }

    const ir::Model &model;
    const ir::Function &function;
    analysis::Shapes shapes;
    std::vector<std::optional<Value>> values;
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

/// "p_layers_0_weight" and "layers.0.weight" name one weight.
std::string plainName(std::string_view name)
{
    std::string plain(name);
    std::ranges::replace(plain, '.', '_');
    return plain;
}

bool isOneWeight(std::string_view a, std::string_view b)
{
    const std::string x = plainName(a), y = plainName(b);
    return !x.empty() && !y.empty() && (x == y || x.ends_with("_" + y) || y.ends_with("_" + x));
}

/// For each input of `b` the one of `a` that it is, by position; those of no counterpart count on behind them.
std::vector<std::size_t> matchedInputs(const ComputedGraph &a, const ComputedGraph &b)
{
    const auto &inputsA = a.function.inputs, &inputsB = b.function.inputs;
    std::vector<bool> isTaken(inputsA.size());
    std::vector<std::optional<std::size_t>> found(inputsB.size());
    const auto factOf = [](const ComputedGraph &graph, const ir::FunctionInput &input) {
        const auto *value = input.value.as<ir::ValueId>();
        return value ? graph.shapes.of(*value) : ops::Fact();
    };
    const auto match = [&](const auto &isIt) {
        for (std::size_t i = 0; i < inputsB.size(); ++i)
            for (std::size_t k = 0; k < inputsA.size() && !found[i]; ++k)
                if (!isTaken[k] && isIt(k, i)) {
                    found[i] = k;
                    isTaken[k] = true;
                }
    };
    const auto isLike = [&](std::size_t k, std::size_t i) { return factOf(a, inputsA[k]) == factOf(b, inputsB[i]); };
    match([&](std::size_t k, std::size_t i) { return a.text(inputsA[k].name) == b.text(inputsB[i].name); });
    match([&](std::size_t k, std::size_t i) {
        const std::string_view nameA = a.text(inputsA[k].name), targetA = a.text(inputsA[k].target);
        const std::string_view nameB = b.text(inputsB[i].name), targetB = b.text(inputsB[i].target);
        return isOneWeight(targetA.empty() ? nameA : targetA, targetB.empty() ? nameB : targetB);
    });
    if (inputsA.size() == inputsB.size())
        match([&](std::size_t k, std::size_t i) { return k == i && isLike(k, i); });
    match(isLike);
    std::vector<std::size_t> positions;
    for (std::size_t i = 0; i < found.size(); ++i)
        positions.push_back(found[i].value_or(inputsA.size() + i));
    return positions;
}

/// `position`: which inputs get the same elements.
void giveInput(ComputedGraph &graph, const ir::FunctionInput &input, std::size_t position)
{
    const auto *value = input.value.as<ir::ValueId>();
    if (!value)
        return;
    const ops::Fact &fact = graph.shapes.of(*value);
    graph.values[value->index] =
        ops::asTensor(fact) ? drawn(fact, static_cast<std::uint32_t>(position) + 1) : compute::valueOf(fact);
}

std::optional<ValuePrint> printOf(const std::optional<Value> &value)
{
    const auto *array = value ? value->as<Array>() : nullptr;
    return array ? printOf(*array) : std::nullopt;
}

/// A number that is the same for nodes of one operator with the same operands.
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

/// Lends results to nodes that cannot be computed: those that the other graph computes from the same operands. The
/// other one has been computed as a whole.
class Lender {
public:
    explicit Lender(const ComputedGraph &graph) : m_graph(graph), m_prints(graph.values.size())
    {
        for (std::size_t i = 0; i < m_prints.size(); ++i)
            m_prints[i] = printOf(graph.values[i]);
    }

    /// The first result of this type on the same line of code that depends on all operands of the node.
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
        constexpr std::size_t mostNodes = 64; // what one node is decomposed into is not larger
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

/// Returns how many nodes could not be computed. `other`: the other graph, where it is computed already.
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
    for (const std::optional<Value> &value : graph.values)
        prints.push_back(printOf(value));
    return prints;
}

/// Gives the inputs of both graphs elements, those that belong together the same.
void giveInputs(ComputedGraph &a, ComputedGraph &b)
{
    const std::vector<std::size_t> positions = matchedInputs(a, b);
    for (std::size_t i = 0; i < a.function.inputs.size(); ++i)
        giveInput(a, a.function.inputs[i], i);
    for (std::size_t i = 0; i < positions.size(); ++i) {
        const auto *value = b.function.inputs[i].value.as<ir::ValueId>();
        const auto *counterpart =
            positions[i] < a.function.inputs.size() ? a.function.inputs[positions[i]].value.as<ir::ValueId>() : nullptr;
        giveInput(b, b.function.inputs[i], positions[i]);
        if (value && counterpart && !b.values[value->index])
            b.values[value->index] = a.values[counterpart->index]; // a weight whose type the text does not say
    }
}

} // namespace

bool ValuePrint::isSame(const ValuePrint &other) const
{
    const double allowed = tolerance * std::max({norm, other.norm, 1e-12});
    return shape == other.shape && std::abs(norm - other.norm) <= allowed
        && std::abs(sums[0] - other.sums[0]) <= allowed && std::abs(sums[1] - other.sums[1]) <= allowed;
}

ComputedValues computedValues(const ir::Model &a, const ir::Model &b, const Task &task)
{
    ComputedGraph graphA(a, task), graphB(b, task);
    if (isTooMuch(graphA) || isTooMuch(graphB))
        return {std::vector<std::optional<ValuePrint>>(graphA.values.size()),
                std::vector<std::optional<ValuePrint>>(graphB.values.size())};
    giveInputs(graphA, graphB);
    // Each graph lends the other what that cannot compute; what is lent brings them further together.
    constexpr int rounds = 3;
    std::size_t failures = computeAll(graphB, nullptr, task);
    failures += computeAll(graphA, &graphB, task);
    for (int round = 1; round < rounds && failures > 0; ++round)
        failures = computeAll(graphB, &graphA, task) + computeAll(graphA, &graphB, task);
    return {printsOf(graphA), printsOf(graphB)};
}

} // namespace cutaway::sequence
