// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/cutting/reduction.h"

#include "core/ir/tensors/random_numbers.h"
#include "core/ir/text/text.h"
#include "core/ir/verify.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/ops/operator.h"
#include "core/ops/program/control_flow.h"
#include "core/passes/cutting/cut.h"
#include "core/passes/inlining.h"
#include "core/rewrite/rewriter.h"

#include <algorithm>

// Each round tries these steps: leaving out results; removing runs of nodes, half of all, a quarter, and so on to
// single ones; bypassing single nodes; the same within each branch and loop that is left; making inputs constants.
// Rounds continue until one changes nothing (Zeller, Hildebrandt: Simplifying and Isolating Failure-Inducing Input,
// 2002; Regehr et al.: Test-Case Reduction for C Compiler Bugs, 2012).

namespace cutaway::passes {

namespace {

using ir::NodeId;
using ir::NodeRef;
using ir::ValueId;
using ValueSet = std::unordered_set<ValueId>;

constexpr std::int64_t maxConstantElements = 1 << 16;
constexpr std::uint32_t seedOfConstants = 1;

class Reduction {
public:
    Reduction(const ir::Model &model, ir::FunctionId function,
              const std::function<Result<bool>(const ir::Model &)> &isKept, const ReductionLimits &limits,
              const Task &task)
        : m_model(model),
          m_function(function),
          m_isKept(isKept),
          m_limits(limits),
          m_task(task),
          m_nodesBefore(nodeCount())
    {
        m_known.insert(std::hash<std::string>()(ir::printText(model)));
        learn();
    }

    Result<Reduced> run()
    {
        bool isChanged = true;
        while (isChanged && mayGoOn()) {
            isChanged = leaveOutResults();
            isChanged = reduceRegion(ir::Graph::body) || isChanged;
            isChanged = reduceWithinNodes() || isChanged;
            isChanged = fixInputs() || isChanged;
        }
        if (m_error)
            return std::unexpected(*m_error);
        const std::size_t left = nodeCount();
        return Reduced{std::move(m_model), m_tries, m_nodesBefore, left, !isChanged && mayGoOn()};
    }

private:
    const ir::Graph &graph() const { return m_model.at(m_function).graph; }
    const std::vector<NodeId> &nodes(ir::RegionId region = ir::Graph::body) const { return graph().at(region).nodes; }

    /// Returns the number of nodes in the body and all regions.
    std::size_t nodeCount() const
    {
        std::size_t count = 0;
        for (NodeId id{0}; id.index < graph().nodeCount(); ++id.index)
            count += graph().at(id).removed ? 0 : 1;
        return count;
    }

    bool mayGoOn() const
    {
        return !m_error && !m_task.stopRequested() && (m_limits.tries == 0 || m_tries < m_limits.tries)
            && (!m_limits.deadline || std::chrono::steady_clock::now() < *m_limits.deadline);
    }

    void learn() { m_shapes = analysis::inferShapes(m_model, m_function, {}); }

    std::vector<ValueId> results() const { return resultsOf(m_model); }
    std::vector<ValueId> resultsOf(const ir::Model &model) const
    {
        std::vector<ValueId> values;
        for (const ir::FunctionOutput &output : model.at(m_function).outputs)
            if (const auto *value = output.value.as<ValueId>(); value && !std::ranges::contains(values, *value))
                values.push_back(*value);
        return values;
    }

    // ---- tries

    /// Replaces the model by the candidate if that has the property. Returns whether it has.
    bool tryOut(ir::Model candidate)
    {
        if (!mayGoOn() || !ir::verify(candidate).empty())
            return false;
        if (!m_known.insert(std::hash<std::string>()(ir::printText(candidate))).second)
            return false;
        const Result<bool> answer = m_isKept(candidate);
        if (m_task.stopRequested())
            return false;
        ++m_tries;
        if (!answer)
            m_error = answer.error();
        if (!answer || !*answer)
            return false;
        m_model = std::move(candidate);
        learn();
        m_task.report("reducing", m_nodesBefore - std::min(m_nodesBefore, nodeCount()), m_nodesBefore);
        return true;
    }

    bool tryCut(ir::Model model, const Cut &cut)
    {
        if (cut.results.empty())
            return false;
        const KnownTypes types(m_model, m_shapes);
        return tryOut(withCut(std::move(model), m_function, cut, types));
    }

    // ---- results

    bool leaveOutResults()
    {
        bool isChanged = false;
        for (std::size_t size = std::max<std::size_t>(1, results().size() / 2); mayGoOn(); size /= 2) {
            for (std::size_t at = 0; at < results().size() && mayGoOn();) {
                Cut cut{.results = results()};
                const auto first = cut.results.begin() + static_cast<std::ptrdiff_t>(at);
                cut.results.erase(first, first + static_cast<std::ptrdiff_t>(std::min(size, cut.results.size() - at)));
                if (tryCut(m_model, cut))
                    isChanged = true;
                else
                    at += size;
            }
            if (size == 1)
                break;
        }
        return isChanged;
    }

    // ---- regions

    bool reduceRegion(ir::RegionId region)
    {
        bool isChanged = false;
        for (std::size_t size = std::max<std::size_t>(1, nodes(region).size() / 2); mayGoOn(); size /= 2) {
            isChanged = takeOutRuns(region, size) || isChanged;
            if (size == 1)
                break;
        }
        return bypassNodes(region) || isChanged;
    }

    bool reduceWithinNodes()
    {
        bool isChanged = false;
        for (NodeId id{0}; id.index < graph().nodeCount() && mayGoOn(); ++id.index) {
            if (graph().at(id).removed || graph().at(id).regions.empty())
                continue;
            const std::vector<ir::RegionId> regions = graph().at(id).regions;
            if (replaceByRegion({graph(), id}))
                isChanged = true;
            else
                for (const ir::RegionId region : regions)
                    isChanged = reduceRegion(region) || isChanged;
        }
        return isChanged;
    }

    /// Replaces a node by one of its branches, or a loop by one iteration.
    bool replaceByRegion(const NodeRef &node)
    {
        for (std::size_t i = 0; i < node->regions.size(); ++i) {
            ir::Model model = m_model;
            const auto inputs = inputsOf(model, node, i);
            if (!inputs)
                continue;
            rewrite::Rewriter rewriter(
                model, m_function, [this]() -> const analysis::Shapes & { return m_shapes; }, m_task);
            if (!passes::replaceByRegion(rewriter, rewriter.node(node.id()), node->regions[i], *inputs))
                continue;
            rewriter.finish();
            const Cut cut{.results = resultsOf(model)};
            const auto isMade = [&](ValueId value) {
                return ir::ValueRef(model.at(m_function).graph, value).producer().has_value();
            };
            if (std::ranges::all_of(cut.results, isMade) && tryCut(std::move(model), cut))
                return true;
        }
        return false;
    }

    /// Returns the operands that a region's inputs have when it first runs; nothing if the node is no branch and no
    /// loop, or if the region's results are not the node's.
    std::optional<std::vector<ir::Operand>> inputsOf(ir::Model &model, const NodeRef &node, std::size_t region) const
    {
        const ops::OperatorKind kind = ops::kindOf(node);
        if (kind == ops::kind::ifElse)
            return std::vector<ir::Operand>();
        if (kind == ops::kind::cond)
            return openedArguments(node, 1);
        if (kind == ops::kind::whileLoop && region == 1)
            return openedArguments(node, 0);
        if (kind == ops::kind::loop && node.isOnnx() && node.region(region).inputs.size() == node.outputCount() + 2)
            return firstIteration(model, node);
        return std::nullopt;
    }

    /// Returns the operands that stand for the body's inputs in the first iteration of `loop`, an ONNX Loop without
    /// scanned results. Removes the condition from the results of the body.
    std::optional<std::vector<ir::Operand>> firstIteration(ir::Model &model, const NodeRef &loop) const
    {
        ir::Graph &copy = model.functions[m_function.index].graph;
        std::vector<ir::Operand> outputs = loop.region(0).outputs, inputs;
        for (const auto &[dtype, number] : {std::pair(ir::DType::Int64, 0), std::pair(ir::DType::Bool, 1)}) {
            const ValueId input = loop.region(0).inputs[inputs.size()];
            const std::vector<std::int64_t> element{number};
            inputs.emplace_back(copy.addWeight(ir::Graph::body, copy.at(input).name, copy.at(input).type,
                                               addTensor(model, copy.at(input).name, dtype, {}, element)));
        }
        for (std::size_t i = 2; i < loop.inputCount(); ++i)
            inputs.push_back(*loop.input(i));
        outputs.erase(outputs.begin());
        copy.setOutputs(loop->regions.front(), std::move(outputs));
        return inputs;
    }

    // ---- runs of nodes

    /// Removes runs of nodes, beginning at the end, so that the rest reads few removed values.
    bool takeOutRuns(ir::RegionId region, std::size_t size)
    {
        bool isChanged = false;
        for (std::size_t end = nodes(region).size(); end > 0 && mayGoOn();) {
            const std::size_t begin = end > size ? end - size : 0;
            const std::vector<NodeId> run(nodes(region).begin() + static_cast<std::ptrdiff_t>(begin),
                                          nodes(region).begin() + static_cast<std::ptrdiff_t>(end));
            if (region == ir::Graph::body ? takeOut(run) : takeOutWithin(run)) {
                isChanged = true;
                end = std::min(begin, nodes(region).size());
            } else {
                end = begin;
            }
        }
        return isChanged;
    }

    /// Removes a run of nodes within a region; those of its results that other nodes read become constants. A run that
    /// makes the condition of a loop stays.
    bool takeOutWithin(const std::vector<NodeId> &run)
    {
        Cut cut{.results = results(), .removed = run};
        if (std::ranges::all_of(run, [this](NodeId node) { return isResultCopy({graph(), node}); }))
            return false;
        std::vector<ValueId> open;
        for (const NodeId node : run)
            for (const ValueId output : graph().at(node).outputs) {
                if (isCondition(output))
                    return false;
                if (std::ranges::any_of(graph().at(output).uses, [&](const ir::Use &use) { return !isIn(run, use); }))
                    open.push_back(output);
            }
        ir::Model model = m_model;
        return makeConstants(model, cut, open) && tryCut(std::move(model), cut);
    }

    /// Whether a use belongs to a node of the run or of its regions.
    bool isIn(const std::vector<NodeId> &run, const ir::Use &use) const
    {
        std::optional<NodeId> node;
        if (const auto *reader = std::get_if<NodeId>(&use))
            node = *reader;
        else
            node = graph().at(std::get<ir::RegionId>(use)).owner;
        while (node && !std::ranges::contains(run, *node))
            node = graph().at(graph().at(*node).parent).owner;
        return node.has_value();
    }

    bool isResultCopy(const NodeRef &node) const
    {
        return isCopy(node)
            && std::ranges::contains(graph().at(node->parent).outputs, ir::Operand(node.output(0).id()));
    }

    bool isCondition(ValueId value) const
    {
        return std::ranges::any_of(graph().at(value).uses, [&](const ir::Use &use) {
            const auto *region = std::get_if<ir::RegionId>(&use);
            const auto owner = region ? graph().at(*region).owner : std::nullopt;
            const ops::OperatorKind kind = owner ? ops::kindOf(NodeRef(graph(), *owner)) : ops::OperatorKind{};
            const bool asks = kind == ops::kind::loop
                || (kind == ops::kind::whileLoop && graph().at(*owner).regions.front() == *region);
            return asks && graph().at(*region).outputs.front() == ir::Operand(value);
        });
    }

    bool takeOut(const std::vector<NodeId> &run)
    {
        const std::unordered_set<NodeId> removed(run.begin(), run.end());
        if (removed.size() == nodes().size())
            return false;
        Cut cut{.results = resultsWithout(removed)};
        const std::vector<ValueId> open = readOutside(removed, cut.results);
        ir::Model model = m_model;
        for (const ValueId value : open)
            if (const auto tensor = addDerived(model, {graph(), value}, m_shapes))
                cut.constant.emplace(value, *tensor);
            else
                cut.opened.push_back(value);
        const bool isTyped = std::ranges::all_of(cut.opened, [&](ValueId value) { return hasType(value); });
        if (isTyped && tryCut(model, cut))
            return true;
        return !cut.opened.empty() && makeConstants(model, cut, cut.opened) && tryCut(std::move(model), cut);
    }

    /// Returns the results of the function without the removed nodes: old results that are still made, and values that
    /// only removed nodes have read.
    std::vector<ValueId> resultsWithout(const std::unordered_set<NodeId> &removed) const
    {
        std::vector<ValueId> kept;
        for (const ValueId value : results())
            if (const auto node = bodyNodeOf(graph(), value); node && !removed.contains(*node))
                kept.push_back(value);
        const Needed needed = neededBy(graph(), kept, {});
        for (const NodeId node : inOrder(removed))
            for (const ValueId value : valuesReadBy({graph(), node})) {
                const auto maker = makerInBody(value);
                if (maker && !removed.contains(*maker) && !needed.nodes.contains(*maker)
                    && !std::ranges::contains(kept, value))
                    kept.push_back(value);
            }
        return kept;
    }

    std::vector<NodeId> inOrder(const std::unordered_set<NodeId> &removed) const
    {
        std::vector<NodeId> order = nodes();
        std::erase_if(order, [&](NodeId node) { return !removed.contains(node); });
        return order;
    }

    /// Returns the node of the body that makes a value; nothing if no node of the body does.
    std::optional<NodeId> makerInBody(ValueId value) const
    {
        const auto *result = std::get_if<ir::NodeResult>(&graph().at(value).definition);
        return result && graph().at(result->node).parent == ir::Graph::body ? std::optional(result->node)
                                                                            : std::nullopt;
    }

    /// Returns the results of removed nodes that the other nodes need for the results `kept`.
    std::vector<ValueId> readOutside(const std::unordered_set<NodeId> &removed, const std::vector<ValueId> &kept) const
    {
        ValueSet made;
        for (const NodeId node : removed)
            made.insert(graph().at(node).outputs.begin(), graph().at(node).outputs.end());
        const Needed needed = neededBy(graph(), kept, made);
        std::vector<ValueId> open;
        for (const NodeId node : nodes())
            if (needed.nodes.contains(node))
                for (const ValueId value : valuesReadBy({graph(), node}))
                    if (made.contains(value) && !std::ranges::contains(open, value))
                        open.push_back(value);
        return open;
    }

    bool hasType(ValueId value) const
    {
        const ir::Type &type = m_model.context->at(KnownTypes(m_model, m_shapes).of({graph(), value}));
        const auto *tensor = std::get_if<ir::TensorType>(&type);
        return tensor ? tensor->dtype.has_value() : !std::holds_alternative<ir::UnknownType>(type);
    }

    /// Replaces values of small fixed sizes by constants with random elements. Returns whether it could do so for all
    /// values.
    bool makeConstants(ir::Model &model, Cut &cut, const std::vector<ValueId> &values) const
    {
        for (const ValueId value : values) {
            const auto *type = ir::tensorType(*m_model.context, KnownTypes(m_model, m_shapes).of({graph(), value}));
            const auto count = type && type->shape ? ops::number(ops::elementsOf(*type->shape)) : std::nullopt;
            if (!count || !type->dtype || !ir::isNumeric(*type->dtype) || *count > maxConstantElements)
                return false;
            std::vector<std::int64_t> shape;
            for (const ir::Dim &dim : *type->shape)
                shape.push_back(ops::number(dim).value_or(0));
            const auto numbers = ir::randomNumbers(*type->dtype, static_cast<std::size_t>(*count), seedOfConstants);
            cut.constant.emplace(value, addTensor(model, graph().at(value).name, *type->dtype, shape, numbers));
        }
        std::erase_if(cut.opened, [&](ValueId value) { return cut.constant.contains(value); });
        return true;
    }

    // ---- single nodes

    bool bypassNodes(ir::RegionId region)
    {
        bool isChanged = false;
        for (std::size_t at = nodes(region).size(); at-- > 0 && mayGoOn();) {
            if (at >= nodes(region).size())
                continue;
            isChanged = bypass({graph(), nodes(region)[at]}) || isChanged;
        }
        return isChanged;
    }

    /// Replaces the node's result by a value of the same type that the node reads.
    bool bypass(const NodeRef &node)
    {
        const bool isWithin = node->parent != ir::Graph::body;
        if (node.outputCount() != 1 || (isWithin && isResultCopy(node)))
            return false;
        const ValueId output = node.output(0);
        const std::vector<ValueId> own = results();
        for (const ValueId input : valuesReadBy(node)) {
            const bool isResult = std::ranges::contains(own, output);
            if (!isSameType(input, output) || (isResult && (!makerInBody(input) || std::ranges::contains(own, input))))
                continue;
            Cut cut{.replaced = {{output, input}}, .results = own};
            if (isWithin)
                cut.removed = {node.id()};
            std::ranges::replace(cut.results, output, input);
            if (tryCut(m_model, cut))
                return true;
        }
        return false;
    }

    bool isSameType(ValueId a, ValueId b) const
    {
        const auto *first = ops::asTensor(m_shapes.of(a)), *second = ops::asTensor(m_shapes.of(b));
        return first && second && first->dtype && first->dtype == second->dtype && first->shape && second->shape
            && std::ranges::equal(*first->shape, *second->shape, ops::isSame);
    }

    // ---- inputs

    bool fixInputs()
    {
        bool isChanged = false;
        const std::vector<ir::FunctionInput> inputs = m_model.at(m_function).inputs;
        for (const ir::FunctionInput &input : inputs) {
            const auto *value = input.value.as<ValueId>();
            if (!value || input.kind != ir::FunctionInput::Kind::User || graph().at(*value).uses.empty())
                continue;
            Cut cut{.results = results()};
            ir::Model model = m_model;
            if (!std::ranges::contains(cut.results, *value) && makeConstants(model, cut, {*value}))
                isChanged = tryCut(std::move(model), cut) || isChanged;
        }
        return isChanged;
    }

    ir::Model m_model; ///< the smallest model that has the property so far
    ir::FunctionId m_function;
    const std::function<Result<bool>(const ir::Model &)> &m_isKept;
    const ReductionLimits &m_limits;
    const Task &m_task;
    std::size_t m_nodesBefore;
    std::size_t m_tries = 0;
    analysis::Shapes m_shapes;               ///< the facts and costs of m_model
    std::unordered_set<std::size_t> m_known; ///< the hashes of all candidates that were tried
    std::optional<Error> m_error;
};

} // namespace

Result<Reduced> reduced(const ir::Model &model, ir::FunctionId function,
                        const std::function<Result<bool>(const ir::Model &)> &isKept, const ReductionLimits &limits,
                        const Task &task)
{
    return Reduction(model, function, isKept, limits, task).run();
}

} // namespace cutaway::passes
