// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/convert/pt2/program_signature.h"

#include "core/analysis/sizes/needed_sizes.h"
#include "core/base/formatted.h"
#include "core/base/result.h"
#include "core/convert/preparation.h"
#include "core/ir/context.h"
#include "core/ir/json/tree_spec.h"

#include <algorithm>

namespace cutaway::convert {

using ir::Operand;
using ir::ValueId;

namespace {

/// torch wants an example value of each size. The values here differ, and can be halved several times.
constexpr std::int64_t firstHint = 224, hintStep = 32;

} // namespace

ProgramSignature::ProgramSignature(const ir::Function &function, const analysis::Given &given, ProgramValues &values,
                                   Losses &losses)
    : m_function(function),
      m_given(given),
      m_values(values),
      m_losses(losses)
{
}

Result<void> ProgramSignature::addInputs()
{
    for (const ir::FunctionInput &input : m_function.inputs)
        CUTAWAY_RETURN_IF_ERROR(addInput(input));
    return {};
}

Result<void> ProgramSignature::addInput(const ir::FunctionInput &input)
{
    const auto *value = input.value.as<ValueId>();
    if (!value || input.kind != ir::FunctionInput::Kind::User
        || std::holds_alternative<ir::Weight>(m_values.source().at(*value).definition))
        return {};
    const std::string_view name = m_values.sourceModel().context->text(input.name);
    const ops::Fact known = m_values.fact(input.value);
    const auto given = m_given.inputs.find(name);
    const bool isNumber = known.as<ops::NumberFact>() && given != m_given.inputs.end();
    if (const auto constant = constantOf(*m_values.sourceModel().context, isNumber ? given->second : known)) {
        if (isNumber)
            m_values.set(*value, *constant);
        if (given != m_given.inputs.end() && !constant->as<ir::None>()) {
            const ir::NameId made = m_values.sourceModel().context->name(programName(name));
            m_inputs.push_back({made, ir::FunctionInput::Kind::ConstantInput, *constant, {}, {}});
            m_inSpecs.push_back(ir::leafSpec());
        }
        m_losses.note(formatted("the input '{}' is fixed", name));
        return {};
    }
    if (m_values.source().at(*value).uses.empty() && !m_values.typeOf(known)) {
        m_losses.note(formatted("the input '{}' is not read, and no input of the program", name));
        return {};
    }
    CUTAWAY_TRY(auto made, inputOf(known, name, name));
    m_inSpecs.push_back(ir::specOf(*m_values.sourceModel().context, made));
    m_values.set(*value, std::move(made));
    return {};
}

/// Makes the inputs that a fact needs: a list or tuple has one for each of its items.
Result<Operand> ProgramSignature::inputOf(const ops::Fact &fact, std::string_view name, std::string_view whole)
{
    if (const auto *list = fact.as<ops::SequenceFact>(); list && list->items()) {
        ir::List made{{}, list->kind};
        for (std::size_t i = 0; i < list->each().size(); ++i) {
            auto item = inputOf(list->each()[i], formatted("{}_{}", name, i), whole);
            if (!item)
                return item;
            made.items.push_back(std::move(*item));
        }
        return made;
    }
    const auto type = fact.as<ops::NumberFact>() ? std::nullopt : m_values.typeOf(fact);
    if (fact.as<ops::NumberFact>())
        return usageError(formatted("the input '{}' is a number, which a program of torch.export has fixed; give it as "
                                    "--input {}=3",
                                    whole, whole));
    if (!type && !ops::asTensor(fact))
        return usageError(formatted("the input '{}' is no tensor, number, or tuple of these", whole));
    if (!type)
        return usageError(formatted("the shape and dtype of the input '{}' are not known; give them as --input "
                                    "{}=1x3x224x224:float32, sizes that may differ by names: Nx3xHxW:float32",
                                    whole, whole));
    const ValueId value = m_values.graph().addInput(name, *type);
    m_inputs.push_back({{}, ir::FunctionInput::Kind::User, value, {}, {}});
    return Operand(value);
}

void ProgramSignature::addOutputs()
{
    for (const ir::FunctionOutput &output : m_function.outputs)
        addOutput(output);
}

void ProgramSignature::finish(ir::Model &program, const analysis::Shapes &shapes)
{
    ProgramGraph &graph = m_values.graph();
    std::vector<Operand> results;
    for (const ir::FunctionOutput &output : m_outputs)
        results.push_back(output.value);
    graph.graph().setOutputs(ir::Graph::body, std::move(results));
    graph.finish();
    nameAsValues(program);
    const auto tupleOf = [](std::span<const std::string> specs) {
        return ir::sequenceSpec(ir::List::Kind::Tuple, specs);
    };
    const std::string given[] = {tupleOf(m_inSpecs), ir::dictSpec({}, {})};
    program.metadata.emplace_back(ir::inSpecKey, "[1," + tupleOf(given) + "]");
    program.metadata.emplace_back(ir::outSpecKey,
                                  "[1," + (m_outSpecs.size() == 1 ? m_outSpecs.front() : tupleOf(m_outSpecs)) + "]");
    program.symbols = symbols(shapes);
    program.functions.push_back({program.context->name("forward"),
                                 ir::Function::Kind::Main,
                                 std::move(graph.graph()),
                                 std::move(m_inputs),
                                 std::move(m_outputs),
                                 {},
                                 {}});
}

void ProgramSignature::addOutput(const ir::FunctionOutput &output)
{
    const ir::Model &source = m_values.sourceModel();
    const Operand operand = m_values.made(output.value);
    const std::string name(source.context->text(output.name));
    if (const std::string reason = m_values.takeReason(); !reason.empty())
        return m_losses.miss("a result", reason, name);
    if (output.kind == ir::FunctionOutput::Kind::User || output.kind == ir::FunctionOutput::Kind::Loss) {
        m_outSpecs.push_back(ir::specOf(*source.context, operand));
        return addUserOutput(operand, name);
    }
    for (ir::TensorId id{0}; id.index < source.tensors.size(); ++id.index)
        if (output.kind == ir::FunctionOutput::Kind::BufferMutation && source.at(id).name == output.target)
            m_values.graph().keepWeight(id);
    ir::FunctionOutput made = output;
    made.value = operand;
    m_outputs.push_back(std::move(made));
}

/// Adds an output of the function; lists and dictionaries become an output for each item, in the order in which torch
/// flattens them.
void ProgramSignature::addUserOutput(const Operand &operand, const std::string &name)
{
    if (const auto *list = operand.as<ir::List>()) {
        for (const Operand &item : list->items)
            addUserOutput(item, name);
        return;
    }
    if (const auto *dict = operand.as<ir::Dict>()) {
        for (std::size_t i = 1; i < dict->items.size(); i += 2)
            addUserOutput(dict->items[i], name);
        return;
    }
    const bool isValue = operand.as<ValueId>() != nullptr;
    if (isValue && m_values.numberKind(operand) == ir::NumberType::Kind::Bool)
        m_losses.miss("a result", "torch 2.6 loads no program that returns a Boolean of data", name);
    else if (!isValue && !operand.as<std::int64_t>() && !operand.as<double>() && !operand.as<ir::None>())
        m_losses.miss("a result", "it is no tensor and no number", name);
    m_outputs.push_back({m_values.sourceModel().context->name(name), ir::FunctionOutput::Kind::User, operand, {}});
}

/// Gives inputs and outputs the final names of their values, and puts the weights first among the inputs.
void ProgramSignature::nameAsValues(const ir::Model &program)
{
    const ir::Model &source = m_values.sourceModel();
    const ir::Graph &graph = m_values.graph().graph();
    // By the name in the source: the name in the program.
    std::unordered_map<ir::NameId, ir::NameId> inputNames, tensorNames;
    for (ir::FunctionInput &input : m_inputs)
        if (const auto *value = input.value.as<ValueId>())
            input.name = graph.at(*value).name;
    for (const ir::FunctionInput &input : m_function.inputs)
        if (const auto *value = input.value.as<ValueId>())
            if (const Operand *made = m_values.find(*value); made && made->as<ValueId>())
                inputNames.emplace(input.name, graph.at(*made->as<ValueId>()).name);
    for (ir::TensorId id{0}; id.index < source.tensors.size(); ++id.index)
        tensorNames.emplace(source.at(id).name, program.at(id).name);
    for (ir::FunctionOutput &output : m_outputs) {
        if (const auto *value = output.value.as<ValueId>())
            output.name = graph.at(*value).name;
        const auto &names = output.kind == ir::FunctionOutput::Kind::UserInputMutation ? inputNames : tensorNames;
        if (const auto found = names.find(output.target); found != names.end())
            output.target = found->second;
    }
    std::vector<ir::FunctionInput> weights = m_values.graph().weightInputs();
    m_inputs.insert(m_inputs.begin(), weights.begin(), weights.end());
}

/// Returns the program's symbols with their ranges in the source, narrowed by what nodes need. A symbol that stands for
/// a number of elements is not negative.
std::vector<ir::Symbol> ProgramSignature::symbols(const analysis::Shapes &shapes)
{
    const ir::Model &source = m_values.sourceModel();
    std::vector<ir::Symbol> made;
    const analysis::NeededSizes needed(source, shapes);
    for (const auto &[name, symbol] : m_values.graph().symbols()) {
        const auto known = std::ranges::find(source.symbols, name, &ir::Symbol::name);
        ir::Symbol next = known == source.symbols.end() ? ir::Symbol{} : *known;
        next.name = symbol;
        if (known != source.symbols.end() && name != symbol)
            m_losses.note(formatted("the size '{}' is called {}", name, symbol));
        if (known != source.symbols.end()) {
            const symbolic::Range range = needed.rangeOf(name);
            next.min = range.min;
            if (range.max < symbolic::Range().max)
                next.max = range.max;
        }
        if (std::ranges::contains(shapes.dataSizes, name, &analysis::DataSize::name))
            next.min = 0;
        else if (known != source.symbols.end() && !next.hint)
            next.hint = needed.suitable(name, firstHint + hintStep * static_cast<std::int64_t>(made.size()));
        made.push_back(std::move(next));
    }
    return made;
}

} // namespace cutaway::convert
