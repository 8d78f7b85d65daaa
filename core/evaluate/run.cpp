// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evaluate/evaluate.h"
#include "core/ops/program/control_flow.h"

namespace cutaway::evaluate {

namespace {

/// Executes the regions of one graph.
class Run {
public:
    Run(const ir::Model &model, const ir::Graph &graph, const Limits &limits)
        : m_graph(graph),
          m_evaluator(model, limits),
          m_left(limits.nodes),
          m_stop(limits.stop),
          m_known([this](ir::ValueId id) -> const Value * {
              const auto &value = m_values[id.index];
              return value ? &*value : nullptr;
          })
    {
        m_values.resize(graph.valueCount());
    }

    void setWeights()
    {
        for (std::uint32_t i = 0; i < m_graph.valueCount(); ++i)
            if (const auto weight = ir::ValueRef(m_graph, ir::ValueId{i}).weight())
                if (auto value = m_evaluator.valueOf(*weight, m_known)) // on failure its users fail
                    m_values[i] = std::move(*value);
    }

    Result<Values> region(ir::RegionId id, std::span<const Value> inputs)
    {
        const ir::Region &region = m_graph.at(id);
        if (inputs.size() != region.inputs.size())
            return unreadable("there are " + std::to_string(region.inputs.size()) + " inputs and "
                              + std::to_string(inputs.size()) + " values for them");
        for (std::size_t i = 0; i < inputs.size(); ++i)
            m_values[region.inputs[i].index] = inputs[i];
        for (const ir::NodeRef node : ir::nodesOf(m_graph, id))
            if (auto done = visit(node); !done)
                return std::unexpected(done.error());
        return valuesOf(region.outputs);
    }

private:
    Result<Values> valuesOf(std::span<const ir::Operand> operands)
    {
        Values values;
        for (const ir::Operand &operand : operands) {
            auto value = m_evaluator.valueOf(operand, m_known);
            if (!value)
                return std::unexpected(value.error());
            values.push_back(std::move(*value));
        }
        return values;
    }

    Result<void> visit(const ir::NodeRef &node)
    {
        if (m_stop.stop_requested())
            return cancelled();
        if (m_left-- <= 0)
            return unreadable("too many nodes");
        auto values = resultsOf(node);
        if (!values)
            return std::unexpected(values.error());
        for (std::size_t i = 0; i < node.outputCount() && i < values->size(); ++i)
            m_values[node.output(i).id().index] = std::move((*values)[i]);
        return {};
    }

    Result<Values> resultsOf(const ir::NodeRef &node)
    {
        const ops::OperatorKind kind = ops::kindOf(node);
        if (kind == ops::kind::ifElse && node->regions.size() == 2)
            return branch(node);
        if (kind == ops::kind::loop && node.dialect() == "prim" && node->regions.size() == 1)
            return loop(node);
        if (node.dialect() == "cutaway" && node->regions.size() == 1) // a group made by a pass
            return region(node->regions.front(), {});
        return m_evaluator.results(node, m_known);
    }

    std::optional<bool> boolean(const Value &value)
    {
        const auto *array = value.as<compute::Array>();
        if (array && array->count() == 1)
            return compute::floatsOf(*array).front() != 0;
        const auto *fact = value.as<ops::Fact>();
        return fact ? ops::asBool(*fact) : std::nullopt;
    }

    Result<Values> branch(const ir::NodeRef &node)
    {
        const auto condition = m_evaluator.valueOf(node->arguments.front().value, m_known);
        const auto taken = condition ? boolean(*condition) : std::nullopt;
        if (!taken)
            return unreadable("a condition that is not known");
        return region(node->regions[*taken ? 0 : 1], {});
    }

    /// prim::Loop: maximum iterations, initial condition, loop-carried values.
    Result<Values> loop(const ir::NodeRef &node)
    {
        std::vector<ir::Operand> operands;
        for (const ir::Argument &argument : node->arguments)
            operands.push_back(argument.value);
        auto values = valuesOf(operands);
        if (!values || values->size() < 2)
            return values ? unreadable("a loop without a condition") : std::move(values);
        const auto *most = values->front().as<ops::Fact>();
        const auto trips = most ? ops::asInt(*most) : std::nullopt;
        const auto *limit = trips ? std::get_if<std::int64_t>(&*trips) : nullptr;
        auto goesOn = boolean((*values)[1]);
        Values carried(values->begin() + 2, values->end());
        for (std::int64_t iteration = 0; limit && goesOn == true && iteration < *limit; ++iteration) {
            carried.insert(carried.begin(), Value(ops::Fact(ops::intFact(iteration))));
            auto results = region(node->regions.front(), carried);
            if (!results)
                return results;
            goesOn = boolean(results->front());
            carried.assign(results->begin() + 1, results->end());
        }
        return limit && goesOn ? Result<Values>(carried) : unreadable("a loop whose number of iterations is not known");
    }

    const ir::Graph &m_graph;
    Evaluator m_evaluator;
    std::int64_t m_left;
    std::stop_token m_stop;
    Evaluator::Known m_known;
    std::vector<std::optional<Value>> m_values;
};

} // namespace

Result<Values> evaluate(const ir::Model &model, ir::FunctionId function, std::span<const Value> inputs,
                        const Limits &limits)
{
    const ir::Graph &graph = model.at(function).graph;
    Run run(model, graph, limits);
    run.setWeights();
    return run.region(ir::Graph::body, inputs);
}

} // namespace cutaway::evaluate
