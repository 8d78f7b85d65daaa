// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/shapes.h"

#include "core/analysis/propagation.h"
#include "core/ir/context.h"
#include "core/ir/model.h"
#include "core/ir/tensors/tensor_data.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>

namespace cutaway::analysis {

namespace {

using ops::Fact;

// Loops that are unrolled and functions that are called multiply what a file can ask for.
constexpr std::uint64_t maximumSteps = 1'000'000;
constexpr int maxNesting = 64;

bool isWhole(ir::DType dtype)
{
    using enum ir::DType;
    return dtype == Bool || dtype == Int64 || dtype == Int32 || dtype == UInt8 || dtype == Int8 || dtype == Int16;
}

// Floating constants are of interest only as factors of sizes, one per dimension (twice as many for a region).
constexpr std::int64_t maxFactors = 16;

bool isTracked(ir::DType dtype, std::int64_t count)
{
    using enum ir::DType;
    return isWhole(dtype) ? count <= static_cast<std::int64_t>(ops::maxTrackedElements)
                          : (dtype == Float32 || dtype == Float64) && count <= maxFactors;
}

/// "true", "3", "0.5"
ir::Dim element(ir::DType dtype, const std::string &text)
{
    std::int64_t whole = text == "true";
    double fraction = 0;
    if (isWhole(dtype)) {
        std::from_chars(text.data(), text.data() + text.size(), whole);
        return whole;
    }
    std::from_chars(text.data(), text.data() + text.size(), fraction);
    return symbolic::Expr::floating(fraction);
}

/// Of few texts, each; else nothing.
std::shared_ptr<const std::vector<std::string>> textsOf(const ir::Model &model, const ir::Tensor &stored)
{
    const auto *texts = std::get_if<ir::InlineStrings>(&model.at(stored.storage).data);
    if (!texts || texts->strings.size() > ops::maxTrackedElements)
        return nullptr;
    return ops::textTensor(ir::Shape(stored.shape.begin(), stored.shape.end()), texts->strings).texts;
}

ops::TensorFact factOfWeight(const ir::Tensor &stored)
{
    ops::TensorFact fact = ops::tensorFact(stored.dtype, ir::Shape(stored.shape.begin(), stored.shape.end()));
    fact.storage = ops::StorageNumber::Weights;
    if (stored.strides && stored.strides->size() == stored.shape.size())
        fact.strides = ops::normal(*fact.shape, ops::Strides(stored.strides->begin(), stored.strides->end()));
    return fact;
}

/// That it is a number or a list is no claim on a size; what a file records of sizes is no answer.
Fact kindOnly(Fact fact)
{
    if (fact.as<ops::TensorFact>())
        return ops::TensorFact{};
    if (auto *number = std::get_if<ops::NumberFact>(&fact.v))
        number->value = {};
    else if (auto *list = std::get_if<ops::SequenceFact>(&fact.v))
        std::ranges::transform(list->items, list->items.begin(), kindOnly);
    else if (auto *dict = std::get_if<ops::DictFact>(&fact.v))
        dict->value.front() = kindOnly(std::move(dict->value.front()));
    else if (auto *maybe = std::get_if<ops::MaybeFact>(&fact.v))
        maybe->value.front() = kindOnly(std::move(maybe->value.front()));
    return fact;
}

} // namespace

Inference::Inference(const ir::Model &analysed, const Given &fixed, const Task &watched)
    : model(analysed),
      context(*analysed.context),
      given(fixed),
      task(watched),
      signatures(*analysed.context)
{
}

const ops::Operator *Inference::rowOf(ir::OpId op)
{
    const auto [known, isNew] = m_rows.try_emplace(op, nullptr);
    if (isNew) {
        const ir::Operator &parts = context.at(op);
        known->second = ops::findOperator(context.text(parts.dialect), context.text(parts.name));
    }
    return known->second;
}

/// Small tensors of whole numbers are sizes and axes: they are read.
Fact Inference::tensor(ir::TensorId id)
{
    const auto [known, isNew] = m_tensors.try_emplace(id);
    if (!isNew)
        return known->second;
    const ir::Tensor &stored = model.at(id);
    ops::TensorFact fact = factOfWeight(stored);
    const auto count = ir::elementCount(stored);
    if (count && isTracked(stored.dtype, *count)) {
        std::vector<ir::Dim> elements;
        if (const auto texts = ir::firstElements(model, id, ops::maxTrackedElements, ir::Digits::All))
            for (const std::string &text : *texts)
                elements.push_back(element(stored.dtype, text));
        if (static_cast<std::int64_t>(elements.size()) == *count)
            fact.elements = std::make_shared<const std::vector<ir::Dim>>(std::move(elements));
    }
    if (stored.dtype == ir::DType::String)
        fact.texts = textsOf(model, stored);
    return m_tensors[id] = std::move(fact);
}

ir::Dim Inference::bound(const symbolic::Expr &expr) const
{
    auto value = symbolic::substitute(expr, given.bindings);
    if (!value)
        return ir::UnknownDim{};
    return value->kind() == symbolic::Kind::Integer ? ir::Dim(value->integerValue()) : ir::Dim(std::move(*value));
}

Fact Inference::bound(Fact fact) const
{
    const auto bind = [this](ir::Dim &dim) {
        if (const auto *expr = std::get_if<symbolic::Expr>(&dim))
            dim = bound(*expr);
    };
    if (auto *tensor = std::get_if<ops::TensorFact>(&fact.v); tensor && tensor->shape) {
        std::ranges::for_each(*tensor->shape, bind);
        if (tensor->strides) {
            ops::Strides strides = *tensor->strides;
            std::ranges::for_each(strides, bind);
            tensor->strides = ops::normal(*tensor->shape, std::move(strides));
        }
    } else if (auto *number = std::get_if<ops::NumberFact>(&fact.v)) {
        if (auto *value = std::get_if<ir::Dim>(&number->value))
            bind(*value);
    } else if (auto *list = std::get_if<ops::SequenceFact>(&fact.v))
        for (Fact &item : list->items)
            item = bound(std::move(item));
    return fact;
}

Fact Inference::constant(const ir::Operand &operand)
{
    const ops::Call::Source source{.fact = [](ir::ValueId) -> const Fact & { std::unreachable(); },
                                   .freshSize = {},
                                   .tensor = [this](ir::TensorId id) { return tensor(id); },
                                   .size = [this](const symbolic::Expr &expr) { return bound(expr); }};
    return ops::factOf(context, source, operand);
}

ir::Dim Inference::freshSize(std::string_view hint)
{
    return symbolic::Expr::symbol(std::string(hint) + "_" + std::to_string(fresh++));
}

Propagation::Propagation(Inference &inference, const ir::Graph &graph, const Shapes *earlier)
    : m_inference(inference),
      m_graph(graph),
      m_source{.fact = [this](ir::ValueId id) -> const Fact & { return of(id); },
               .freshSize = [this](std::string_view hint) { return m_inference.freshSize(hint); },
               .tensor = [this](ir::TensorId id) { return m_inference.tensor(id); },
               .size =
                   [this](const symbolic::Expr &expr) {
                       ++m_inference.accesses;
                       return m_inference.bound(expr);
                   }},
      m_earlier(earlier),
      m_same(earlier ? graph.valueCount() : 0),
      m_stopped(graph.nodeCount())
{
    m_shapes.facts.resize(graph.valueCount());
    m_shapes.costs.resize(graph.nodeCount());
    m_shapes.trace.changes.resize(graph.valueCount());
    m_shapes.trace.visits.resize(graph.nodeCount());
    assert(!earlier || earlier->facts.size() == graph.valueCount());
    for (const Stop &stop : earlier ? std::span(earlier->stops) : std::span<const Stop>())
        m_earlierStops.emplace(stop.node, &stop);
    setWeights();
}

void Propagation::setWeights()
{
    for (std::uint32_t i = 0; i < m_graph.valueCount(); ++i)
        if (const auto weight = ir::ValueRef(m_graph, ir::ValueId{i}).weight())
            set(ir::ValueId{i},
                m_earlier && m_earlier->trace.changes[i] == 1 ? m_earlier->facts[i] : m_inference.tensor(*weight));
}

void Propagation::set(ir::ValueId value, Fact fact)
{
    m_shapes.facts[value.index] = std::move(fact);
    noteChange(value);
}

ops::Facts Propagation::run(ir::RegionId region)
{
    ++m_inference.depth;
    for (const ir::NodeRef node : ir::nodesOf(m_graph, region)) {
        if (m_inference.task.stopRequested())
            break;
        if (m_inference.depth > maxNesting || ++m_inference.steps > maximumSteps) {
            stop(node, "regions, calls or turns of loops are too many to be followed");
            break;
        }
        visit(node);
    }
    --m_inference.depth;
    ops::Facts results;
    for (const ir::Operand &output : m_graph.at(region).outputs)
        results.push_back(of(output));
    return results;
}

Fact Propagation::of(const ir::Operand &operand) const { return ops::factOf(m_inference.context, m_source, operand); }

void Propagation::visit(const ir::NodeRef &node)
{
    if (isRepeated(node))
        return takeOver(node);
    const Trace::Count before = m_inference.count();
    const std::uint64_t accesses = m_inference.accesses;
    ++m_inference.visited;
    if (!visitCall(node) && !visitRegions(node) && !visitAttribute(node))
        visitOperator(node);
    noteVisit(node, before, m_inference.accesses == accesses);
}

void Propagation::visitOperator(const ir::NodeRef &node)
{
    const ops::Operator *row = m_inference.rowOf(node->op);
    if (!row || !row->shape) {
        // Many operators act and give nothing.
        if (!node->outputs.empty()) {
            stop(node, "no rule for " + node.fullName());
            ops::Cost &cost = m_shapes.costs[node.id().index];
            cost.bytesRead = cost.bytesWritten = ir::UnknownDim{};
        }
        return give(node, {});
    }
    if (m_autocasts.empty())
        return apply(node, *row, m_source);
    ++m_inference.accesses;
    applyCast(node, *row);
}

/// Numbers of a file can make sizes that no tensor has.
static void rejectImpossible(const ops::Call &call, ops::Facts &results)
{
    const ir::Shape *negative = nullptr, *tooLarge = nullptr;
    for (const Fact &result : results)
        ops::forEachTensor(result, [&](const ops::TensorFact &tensor) {
            if (!tensor.shape)
                return;
            const auto isNumber = [](const ir::Dim &dim) { return ops::number(dim).has_value(); };
            if (std::ranges::any_of(*tensor.shape, [](const ir::Dim &dim) { return ops::number(dim).value_or(0) < 0; }))
                negative = &*tensor.shape;
            else if (std::ranges::all_of(*tensor.shape, isNumber) && !ir::elementCount(*tensor.shape))
                tooLarge = &*tensor.shape;
        });
    if (tooLarge)
        call.wrong("a tensor of shape " + ir::print(*tooLarge) + " has more elements than 63 bits count");
    if (negative)
        results = call.wrong("a tensor cannot have the shape " + ir::print(*negative));
}

void Propagation::apply(const ir::NodeRef &node, const ops::Operator &row, const ops::Call::Source &source)
{
    const ops::Call call = callOf(node, source);
    ops::Facts results = row.shape(call);
    rejectImpossible(call, results);
    if (!call.reason().empty())
        stop(node, call.reason(), call.isWrong(), row.cost != nullptr);
    place(row, call, results);
    const auto same = writeBack(node, row, results);
    const auto own = std::span(results).first(std::min(results.size(), node->outputs.size()));
    ops::Cost cost = row.cost ? row.cost(call, own) : ops::Cost{};
    countBytes(row.pattern, node, own, cost);
    m_shapes.costs[node.id().index] = std::move(cost);
    give(node, std::move(results));
    noteAliases(node);
    if (same)
        m_origins.emplace(node->outputs.front(), Same{*same});
}

ops::Call Propagation::callOf(const ir::NodeRef &node, const ops::Call::Source &source) const
{
    return {node, m_inference.signatures, source, m_inference.model.opset(node.dialect())};
}

/// What an operator writes to is its result from then on: a list that grew, a tensor that was reshaped. Other tensors
/// keep their shape and dtype, and the result is the tensor, which is what this gives. A rule that gives a fact more
/// than there are results means what is written to by it: the list that an item was taken from.
std::optional<ir::ValueId> Propagation::writeBack(const ir::NodeRef &node, const ops::Operator &row,
                                                  ops::Facts &results)
{
    const auto *signature = m_inference.signatures.of(node->op);
    if (!signature || signature->schema.arguments.empty() || !signature->schema.arguments[0].type.isWritten()
        || node->arguments.empty() || results.empty())
        return std::nullopt;
    const auto *target = node->arguments[0].value.as<ir::ValueId>();
    if (!target)
        return std::nullopt;
    const auto *tensor = ops::asTensor(of(*target));
    if (tensor && !row.traits.reshapesInPlace) {
        ops::TensorFact same = *tensor;
        same.elements = nullptr;
        if (const auto *result = ops::asTensor(results[0]); result && !same.shape)
            same.shape = result->shape;
        results[0] = same;
    }
    writeTo(*target, results.size() > node->outputs.size() ? results.back() : results[0]);
    writeThrough(*target);
    return tensor && node->outputs.size() == 1 ? std::optional(*target) : std::nullopt;
}

/// Where code may not run, what it writes is only perhaps there.
bool Propagation::write(Fact &held, Fact value)
{
    ++m_inference.accesses;
    if (m_runs == Runs::Never)
        return false;
    if (m_runs == Runs::Perhaps)
        value = ops::join(held, value);
    if (value == held)
        return false;
    held = std::move(value);
    ++m_inference.changes;
    return true;
}

void Propagation::writeTo(ir::ValueId value, Fact fact)
{
    if (write(m_shapes.facts[value.index], std::move(fact)))
        noteChange(value);
}

void Propagation::give(const ir::NodeRef &node, ops::Facts results)
{
    for (std::size_t i = 0; i < node.outputCount(); ++i) {
        const ir::ValueRef output = node.output(i);
        Fact result = i < results.size() ? std::move(results[i]) : Fact();
        // Where a file has a result per tensor of a list, a list of one is that one.
        const auto *list = result.as<ops::SequenceFact>();
        if (list && !list->length && list->items.size() == 1 && output.tensorType())
            result = Fact(list->items.front());
        m_origins.erase(output);
        if (result.as<ops::AnyFact>() && !output.tensorType())
            result = kindOnly(ops::factOf(m_inference.context, output->type));
        ops::forEachTensor(result, [&](ops::TensorFact &tensor) {
            if (tensor.storage == ops::StorageNumber::None)
                m_inference.store(tensor);
        });
        set(output, std::move(result));
    }
}

void Propagation::stop(const ir::NodeRef &node, std::string reason, bool isContradiction, bool hidesCost)
{
    if (m_stopped[node.id().index])
        return;
    m_stopped[node.id().index] = true;
    m_shapes.stops.push_back({node, std::move(reason), isContradiction, hidesCost, m_runs != Runs::Never});
}

/// A call of another function of the model: its graph, with these arguments.
bool Propagation::visitCall(const ir::NodeRef &node)
{
    const ir::Function *callee = calledFunction(node);
    if (!callee)
        return false;
    const ir::Function &function = *callee;
    ++m_inference.accesses;
    if (m_inference.depth >= maxNesting) {
        stop(node, "calls are nested too deep");
        return true;
    }
    Propagation inside(m_inference, function.graph);
    inside.m_runs = m_runs;
    inside.m_autocasts = m_autocasts;
    std::size_t position = 0;
    std::vector<std::pair<ir::ValueId, ir::ValueId>> passed; ///< here and inside
    for (const ir::Argument &argument : node->arguments) {
        const bool isInput = argument.name == ir::NameId{} || m_inference.context.text(argument.name) == "self";
        const auto &inputs = function.graph.at(ir::Graph::body).inputs;
        if (!isInput || position >= inputs.size() || argument.value.as<ir::FunctionId>())
            continue;
        if (const auto *value = argument.value.as<ir::ValueId>())
            passed.emplace_back(*value, inputs[position]);
        inside.set(inputs[position++], of(argument.value));
    }
    ops::Facts results = inside.run(ir::Graph::body);
    m_shapes.costs[node.id().index] = inside.costOf(ir::Graph::body);
    const Shapes found = inside.take();
    const auto missing =
        std::ranges::find_if(found.stops, [](const Stop &inner) { return inner.hidesCost && inner.isReached; });
    if (missing != found.stops.end())
        stop(node, "in " + std::string(m_inference.context.text(function.name)) + ": " + missing->reason);
    give(node, std::move(results));
    for (const auto &[value, input] : passed) // what was appended to a list inside
        if (found.of(input) != of(value)) {
            set(value, found.of(input));
            ++m_inference.changes;
            writeThrough(value);
        }
    return true;
}

Shapes inferShapes(const ir::Model &model, ir::FunctionId function, const Given &given, const Task &task,
                   const Shapes *earlier)
{
    Inference inference(model, given, task);
    const ir::Function &analysed = model.at(function);
    Propagation propagation(inference, analysed.graph, earlier);
    for (const ir::FunctionInput &input : analysed.inputs) {
        const auto value = ir::valueOf(analysed.graph, &input.value);
        if (!value || value->weight())
            continue;
        const auto fixed = given.inputs.find(model.context->text(input.name));
        Fact fact = fixed != given.inputs.end() ? fixed->second : inference.ofInput(function, (*value)->type);
        ops::forEachTensor(fact, [&](ops::TensorFact &tensor) { inference.store(tensor); });
        propagation.set(*value, std::move(fact));
    }
    propagation.run(ir::Graph::body);
    const ops::Cost total = propagation.costOf(ir::Graph::body);
    Shapes found = propagation.take();
    found.total = total;
    found.storages = std::move(inference.storages);
    found.trace.visited = inference.visited;
    inference.removeChoices(found);
    return found;
}

} // namespace cutaway::analysis
