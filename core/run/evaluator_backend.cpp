// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/overloaded.h"
#include "core/evaluate/evaluate.h"
#include "core/ir/context.h"
#include "core/passes/computable.h"
#include "core/run/backend.h"
#include "core/run/elements.h"

#include <algorithm>
#include <chrono>

namespace cutaway::run {

namespace {

using compute::Value;

Result<Value> textsIn(const protocol::Tensor &tensor)
{
    auto texts = protocol::textsOf(tensor);
    if (!texts)
        return std::unexpected(texts.error());
    return Value(ops::Fact(ops::textTensor(ir::Shape(tensor.shape.begin(), tensor.shape.end()), std::move(*texts))));
}

Result<Value> computable(const protocol::Tensor &tensor)
{
    if (tensor.dtype == ir::DType::String)
        return textsIn(tensor);
    auto array = arrayOf(tensor);
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
                                     const auto tensor = tensorOf(drawn);
                                     return tensor ? computable(*tensor) : std::unexpected(tensor.error());
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

/// The values of the body's inputs: the given ones, and those that the file binds.
Result<compute::Values> valuesOf(const Subject &subject, const Inputs &inputs)
{
    const ir::Function &function = subject.model.at(subject.function);
    evaluate::Evaluator evaluator(subject.model);
    compute::Values values;
    for (const ir::ValueId id : function.graph.at(ir::Graph::body).inputs) {
        const ir::FunctionInput *bound = boundTo(function, id);
        const auto given = std::ranges::find(inputs, id, &Input::value);
        if (!bound && given == inputs.end() && isRoot(subject, id)) {
            values.emplace_back(ops::Fact(ops::ObjectFact{ir::ModuleId{}, {}}));
            continue;
        }
        if (!bound && given == inputs.end())
            return std::unexpected(Error{ErrorKind::Usage, "an input has no value", {}});
        auto value = bound ? evaluator.valueOf(ir::Operand{*bound->tensor}, [](ir::ValueId) { return nullptr; })
                           : valueOf(given->content);
        if (!value)
            return std::unexpected(value.error());
        values.push_back(std::move(*value));
    }
    return values;
}

/// A tensor of texts.
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
        outputs.push_back({name, tensorOf(*array)});
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
            outputs.push_back({name, tensorOf(*scalar)});
        else if (text)
            outputs.push_back({name, protocol::tensorOf({}, std::span(&text->text, 1))});
        else if (const auto texts = textsOf(fact))
            outputs.push_back({name, *texts});
        else
            outputs.push_back({name, Opaque{fact.as<ops::NoneFact>() ? "None" : "value that is not a tensor"}});
    }
}

class EvaluatorBackend : public Backend {
public:
    Result<Outcome> run(const Subject &subject, const Inputs &inputs, const Task &task) override
    {
        task.report("evaluating");
        const auto values = valuesOf(subject, inputs);
        if (!values)
            return std::unexpected(values.error());
        const ir::Model model = passes::computable(subject.model, subject.function, *values, task);
        const auto start = std::chrono::steady_clock::now();
        auto results = evaluate::evaluate(model, subject.function, *values, {.stop = task.stop});
        if (!results) {
            if (results.error().kind != ErrorKind::Cancelled)
                results.error().kind = ErrorKind::Backend; // the file was read
            return std::unexpected(std::move(results.error()));
        }
        Outcome outcome{
            "Cutaway's evaluator", std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), {}};
        const ir::Function &function = subject.model.at(subject.function);
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
