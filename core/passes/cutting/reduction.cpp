// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/cutting/reduction.h"

#include "core/ir/tensors/random_numbers.h"
#include "core/ir/text/text.h"
#include "core/ir/verify.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/passes/cutting/cut.h"

#include <algorithm>

// The steps of each round: results are left out; runs of nodes go, half of all, a quarter, and so on to single ones;
// single nodes are bypassed; inputs become constants. Rounds go on until one changes nothing (Zeller, Hildebrandt:
// Simplifying and Isolating Failure-Inducing Input, 2002; Regehr et al.: Test-Case Reduction for C Compiler Bugs,
// 2012).

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
          m_nodesBefore(nodes().size())
    {
        m_known.insert(std::hash<std::string>()(ir::printText(model)));
        learn();
    }

    Result<Reduced> run()
    {
        bool isChanged = true;
        while (isChanged && mayGoOn()) {
            isChanged = leaveOutResults();
            for (std::size_t size = std::max<std::size_t>(1, nodes().size() / 2); mayGoOn(); size /= 2) {
                isChanged = takeOutRuns(size) || isChanged;
                if (size == 1)
                    break;
            }
            isChanged = bypassNodes() || isChanged;
            isChanged = fixInputs() || isChanged;
        }
        if (m_error)
            return std::unexpected(*m_error);
        const std::size_t left = nodes().size();
        return Reduced{std::move(m_model), m_tries, m_nodesBefore, left, !isChanged && mayGoOn()};
    }

private:
    const ir::Graph &graph() const { return m_model.at(m_function).graph; }
    const std::vector<NodeId> &nodes() const { return graph().at(ir::Graph::body).nodes; }

    bool mayGoOn() const
    {
        return !m_error && !m_task.stopRequested() && (m_limits.tries == 0 || m_tries < m_limits.tries)
            && (!m_limits.deadline || std::chrono::steady_clock::now() < *m_limits.deadline);
    }

    void learn() { m_shapes = analysis::inferShapes(m_model, m_function, {}); }

    std::vector<ValueId> results() const
    {
        std::vector<ValueId> values;
        for (const ir::FunctionOutput &output : m_model.at(m_function).outputs)
            if (const auto *value = output.value.as<ValueId>(); value && !std::ranges::contains(values, *value))
                values.push_back(*value);
        return values;
    }

    // ---- tries

    /// Takes the candidate in place of the model if it is kept.
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
        m_task.report("reducing", m_nodesBefore - nodes().size(), m_nodesBefore);
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

    // ---- runs of nodes

    /// From the end, so that what is left reads little that is not there.
    bool takeOutRuns(std::size_t size)
    {
        bool isChanged = false;
        for (std::size_t end = nodes().size(); end > 0 && mayGoOn();) {
            const std::size_t begin = end > size ? end - size : 0;
            const std::vector<NodeId> run(nodes().begin() + static_cast<std::ptrdiff_t>(begin),
                                          nodes().begin() + static_cast<std::ptrdiff_t>(end));
            if (takeOut(run)) {
                isChanged = true;
                end = std::min(begin, nodes().size());
            } else {
                end = begin;
            }
        }
        return isChanged;
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

    /// What is returned, and what only nodes that go have read.
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

    /// Of a value that the body itself makes.
    std::optional<NodeId> makerInBody(ValueId value) const
    {
        const auto *result = std::get_if<ir::NodeResult>(&graph().at(value).definition);
        return result && graph().at(result->node).parent == ir::Graph::body ? std::optional(result->node)
                                                                            : std::nullopt;
    }

    /// What the nodes that go make and the others need for these results.
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

    /// Constants of random elements in place of values of fixed, small sizes; whether all are.
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

    bool bypassNodes()
    {
        bool isChanged = false;
        for (std::size_t at = nodes().size(); at-- > 0 && mayGoOn();) {
            if (at >= nodes().size())
                continue;
            isChanged = bypass({graph(), nodes()[at]}) || isChanged;
        }
        return isChanged;
    }

    /// What a node makes becomes one of what it reads, of the same type.
    bool bypass(const NodeRef &node)
    {
        if (node.outputCount() != 1)
            return false;
        const ValueId output = node.output(0);
        const std::vector<ValueId> own = results();
        for (const ValueId input : valuesReadBy(node)) {
            const bool isResult = std::ranges::contains(own, output);
            if (!isSameType(input, output) || (isResult && (!makerInBody(input) || std::ranges::contains(own, input))))
                continue;
            Cut cut{.replaced = {{output, input}}, .results = own};
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

    ir::Model m_model; ///< the smallest so far
    ir::FunctionId m_function;
    const std::function<Result<bool>(const ir::Model &)> &m_isKept;
    const ReductionLimits &m_limits;
    const Task &m_task;
    std::size_t m_nodesBefore;
    std::size_t m_tries = 0;
    analysis::Shapes m_shapes;               ///< of m_model
    std::unordered_set<std::size_t> m_known; ///< hashes of what was tried
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
