// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/overloaded.h"
#include "core/base/result.h"
#include "core/evaluate/evaluate.h"
#include "core/ir/context.h"
#include "core/ops/compute/array.h"
#include "core/passes/computable.h"
#include "core/run/backend.h"
#include "core/tensor/numbers.h"

#include <algorithm>
#include <chrono>
#include <unordered_map>

namespace cutaway::run {

namespace {

using compute::Value;

Result<Value> textsIn(const protocol::Tensor &tensor)
{
    CUTAWAY_TRY(auto texts, protocol::textsOf(tensor));
    return Value(ops::Fact(ops::textTensor(ir::Shape(tensor.shape.begin(), tensor.shape.end()), std::move(texts))));
}

Result<Value> computable(const protocol::Tensor &tensor)
{
    if (tensor.dtype == ir::DType::String)
        return textsIn(tensor);
    auto array = tensor::arrayOf(tensor);
    if (!array)
        return std::unexpected(Error{
            ErrorKind::Backend, "the evaluator does not compute with " + std::string(ir::name(tensor.dtype)), {}});
    return Value(std::move(*array));
}

Result<Value> valueOf(const InputContent &content);

Result<Value> valuesIn(const InputParts &parts)
{
    if (parts.kind == InputParts::Kind::Dict)
        return std::unexpected(Error{ErrorKind::Backend, "the evaluator does not compute with dictionaries", {}});
    compute::Values values;
    for (const InputContent &item : parts.items) {
        auto value = valueOf(item);
        if (!value)
            return value;
        values.push_back(std::move(*value));
    }
    return Value(std::move(values));
}

Result<Value> valueOf(const InputContent &content)
{
    return std::visit(Overloaded{[](const protocol::Tensor &tensor) { return computable(tensor); },
                                 [](const protocol::DrawnTensor &drawn) -> Result<Value> {
                                     CUTAWAY_TRY(const auto tensor, tensorOf(drawn));
                                     return computable(tensor);
                                 },
                                 [](const ops::Fact &fact) -> Result<Value> { return Value(fact); },
                                 [](const InputParts &parts) { return valuesIn(parts); }},
                      content);
}

/// Whether an input of the main function is the model's own root module, `self`.
bool isRoot(const Subject &subject, ir::ValueId id)
{
    const ir::Type &type = ir::ValueRef(subject.model.at(subject.function).graph, id).type();
    const auto *object = std::get_if<ir::ClassType>(&type);
    return subject.function == ir::FunctionId{} && !subject.model.modules.empty() && object
        && object->kind == ir::ClassType::Kind::Module;
}

/// Returns the values of the body's inputs: the given ones, and those that the file binds.
Result<compute::Values> valuesOf(const Subject &subject, const Inputs &inputs)
{
    const ir::Function &function = subject.model.at(subject.function);
    evaluate::Evaluator evaluator(subject.model);
    compute::Values values;
    for (const ir::ValueId id : function.graph.at(ir::Graph::body).inputs) {
        const ir::FunctionInput *bound = boundTo(function, id);
        const auto given = std::ranges::find(inputs, id, &Input::value);
        if (!bound && given == inputs.end() && isRoot(subject, id)) {
            values.emplace_back(ops::Fact(ir::ModuleId{}));
            continue;
        }
        if (!bound && given == inputs.end())
            return std::unexpected(Error{ErrorKind::Usage, "an input has no value", {}});
        CUTAWAY_TRY(auto value,
                    bound ? evaluator.valueOf(ir::Operand{*bound->tensor}, [](ir::ValueId) { return nullptr; })
                          : valueOf(given->content));
        values.push_back(std::move(value));
    }
    return values;
}

/// Turns the weights for which there are given values into inputs of the graph. Returns the inputs for the changed
/// model.
Inputs withGivenWeights(ir::Model &model, ir::FunctionId id, Inputs inputs)
{
    ir::Function &function = model.functions[id.index];
    for (Input &input : inputs) {
        const ir::ValueId weight = input.value;
        if (!ir::ValueRef(function.graph, weight).weight())
            continue;
        const ir::Value &before = function.graph.at(weight);
        input.value = function.graph.addInput(ir::Graph::body, before.name, before.type);
        function.graph.replaceUses(weight, input.value);
        const auto listed = std::ranges::find(function.inputs, ir::Operand(weight), &ir::FunctionInput::value);
        *listed = {listed->name, ir::FunctionInput::Kind::User, input.value, {}, {}};
    }
    return inputs;
}

std::optional<protocol::Tensor> textsOf(const ops::Fact &fact)
{
    const ops::TensorFact *tensor = ops::asTensor(fact);
    if (!tensor || !tensor->texts || !tensor->shape)
        return std::nullopt;
    std::vector<std::int64_t> shape;
    for (const ir::Dim &dim : *tensor->shape)
        shape.push_back(ops::number(dim).value_or(-1));
    return protocol::tensorOf(std::move(shape), *tensor->texts);
}

/// Appends an output; tensors of lists and tuples become separate outputs, with their index appended to the name.
void addOutput(std::vector<Output> &outputs, const std::string &name, const Value &value)
{
    if (const auto *array = value.as<compute::Array>()) {
        outputs.push_back({name, tensor::tensorOf(*array)});
    } else if (const auto *list = value.as<compute::Values>()) {
        if (list->empty())
            outputs.push_back({name, Opaque{"empty list"}});
        for (std::size_t i = 0; i < list->size(); ++i)
            addOutput(outputs, name + "." + std::to_string(i), (*list)[i]);
    } else {
        const ops::Fact &fact = *value.as<ops::Fact>();
        const auto *number = fact.as<ops::NumberFact>();
        const auto *text = fact.as<ops::TextFact>();
        if (const auto scalar = number ? compute::arrayOf(*number) : std::nullopt)
            outputs.push_back({name, tensor::tensorOf(*scalar)});
        else if (text)
            outputs.push_back({name, protocol::tensorOf({}, std::span(&text->text, 1))});
        else if (const auto texts = textsOf(fact))
            outputs.push_back({name, *texts});
        else
            outputs.push_back({name, Opaque{fact.as<ops::NoneFact>() ? "None" : "value that is not a tensor"}});
    }
}

/// The watched values, each with the value of the evaluated graph that equals it.
class WatchedValues {
public:
    /// Adds the watched values to the outputs of the body, since passes that replace a value also update the outputs.
    WatchedValues(ir::Model &model, ir::FunctionId function, std::span<const Watched> watched)
        : m_own(model.at(function).graph.at(ir::Graph::body).outputs.size())
    {
        ir::Function &of = model.functions[function.index];
        std::vector<ir::Operand> outputs = of.graph.at(ir::Graph::body).outputs;
        for (const Watched &each : watched) {
            const auto producer = ir::ValueRef(of.graph, each.value).producer();
            if (!producer)
                continue;
            if (of.graph.at(*producer).parent != ir::Graph::body) {
                m_shown[each.value].push_back(each.value);
                continue;
            }
            m_asked.push_back(each.value);
            ir::FunctionOutput output;
            output.name = of.graph.at(each.value).name;
            // The value needs no copy, since it is shown before anything writes to it.
            output.value = ir::Operand{each.value};
            outputs.push_back(output.value);
            of.outputs.push_back(std::move(output));
        }
        if (!m_asked.empty())
            of.graph.setOutputs(ir::Graph::body, std::move(outputs));
    }

    /// Finds the values that have replaced the watched ones. A value that a node makes is shown once the node has run,
    /// and freed after its last reader; the others stay outputs.
    void findIn(ir::Model &model, ir::FunctionId function)
    {
        ir::Graph &graph = model.functions[function.index].graph;
        std::vector<ir::Operand> outputs = graph.at(ir::Graph::body).outputs;
        std::vector<ir::Operand> kept(outputs.begin(), outputs.begin() + static_cast<std::ptrdiff_t>(m_own));
        for (std::size_t i = 0; i < m_asked.size(); ++i) {
            const auto *value = outputs[m_own + i].as<ir::ValueId>();
            if (value && ir::ValueRef(graph, *value).producer()) {
                m_shown[*value].push_back(m_asked[i]);
            } else {
                kept.push_back(outputs[m_own + i]);
                m_others.push_back(m_asked[i]);
            }
        }
        if (!m_asked.empty())
            graph.setOutputs(ir::Graph::body, std::move(kept));
    }

    void show(ir::ValueId value, const Value &content, const Seen &seen) const
    {
        const auto found = m_shown.find(value);
        const auto *array = found == m_shown.end() ? nullptr : content.as<compute::Array>();
        if (!array)
            return;
        const protocol::Tensor tensor = tensor::tensorOf(*array);
        for (const ir::ValueId each : found->second)
            seen(each, tensor);
    }

    /// Shows values that no node makes, and removes them from the results.
    void showOthers(compute::Values &results, const Seen &seen) const
    {
        for (std::size_t i = 0; i < m_others.size() && m_own + i < results.size(); ++i)
            if (const auto *array = results[m_own + i].as<compute::Array>())
                seen(m_others[i], tensor::tensorOf(*array));
        results.resize(std::min(results.size(), m_own));
    }

private:
    std::size_t m_own; ///< the number of the function's own outputs
    std::vector<ir::ValueId> m_asked, m_others;
    /// By value of the evaluated graph: the watched values that equal it.
    std::unordered_map<ir::ValueId, std::vector<ir::ValueId>> m_shown;
};

class EvaluatorBackend : public Backend {
public:
    Result<Outcome> run(const Subject &subject, const Inputs &inputs, const Task &task) override
    {
        return watch(subject, inputs, {}, {}, task);
    }

    /// Shows all watched values in one run.
    Result<Outcome> watch(const Subject &subject, const Inputs &inputs, std::span<const Watched> watched,
                          const Seen &seen, const Task &task) override
    {
        task.report("evaluating");
        ir::Model model = subject.model;
        const Inputs given = withGivenWeights(model, subject.function, inputs);
        CUTAWAY_TRY(const auto values, valuesOf({model, subject.function, {}}, given));
        WatchedValues wanted(model, subject.function, watched);
        model = passes::computable(model, subject.function, values, task);
        wanted.findIn(model, subject.function);
        evaluate::Seen show;
        if (!watched.empty())
            show = [&](ir::ValueId value, const Value &content) { wanted.show(value, content, seen); };
        const auto start = std::chrono::steady_clock::now();
        auto results = evaluate::evaluate(model, subject.function, values, {.stop = task.stop}, show);
        if (!results) {
            if (results.error().kind != ErrorKind::Cancelled)
                // The file was read, so the error is not one of the file.
                results.error().kind = ErrorKind::Backend;
            return std::unexpected(std::move(results.error()));
        }
        Outcome outcome{
            "Cutaway's evaluator", std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), {}};
        const ir::Function &function = subject.model.at(subject.function);
        wanted.showOthers(*results, seen);
        for (std::size_t i = 0; i < results->size(); ++i)
            addOutput(outcome.outputs, nameOf(function, i), (*results)[i]);
        return outcome;
    }

    Result<protocol::Profile::Result> profile(const Subject &, const Inputs &, double, const Task &) override
    {
        return std::unexpected(
            Error{ErrorKind::Usage,
                  "the evaluator cannot be profiled; choose or install another backend, such as onnxruntime or torch",
                  {}});
    }

private:
    static std::string nameOf(const ir::Function &function, std::size_t output)
    {
        return output < function.outputs.size()
            ? std::string(function.graph.context().text(function.outputs[output].name))
            : "output " + std::to_string(output);
    }
};

} // namespace

std::unique_ptr<Backend> evaluatorBackend() { return std::make_unique<EvaluatorBackend>(); }

} // namespace cutaway::run
