// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/convert/pt2/program_translation.h"

#include "core/analysis/sizes/needed_sizes.h"
#include "core/base/formatted.h"
#include "core/base/result.h"
#include "core/convert/preparation.h"
#include "core/convert/translation.h"
#include "core/ir/context.h"
#include "core/ir/json/tree_spec.h"
#include "core/ir/names.h"
#include "core/ops/fact_source.h"
#include "core/ops/operator.h"
#include "core/ops/program/control_flow.h"

#include <algorithm>
#include <limits>

// Only what the results need is translated. What a program cannot say makes nothing, and what reads that is passed
// over, so that the list of what is missing names each cause once.

namespace cutaway::convert {

using ir::DType;
using ir::NodeRef;
using ir::Operand;
using ir::ValueId;
using symbolic::Expr;

namespace {

/// torch looks at formulas with an example: sizes that differ, and that may be halved often.
constexpr std::int64_t firstHint = 224, hintStep = 32;

/// The model around a graph: the tensors and modules of the source, and nothing that only its format has.
ir::Model programAround(const ir::Model &source)
{
    ir::Model made = source;
    made.functions.clear();
    made.objects.clear();
    made.attachments.clear();
    made.diagnostics.clear();
    made.opsets.clear();
    made.symbols.clear();
    made.metadata.clear();
    made.format = "pt2";
    made.formatVersion.clear();
    made.producer = "cutaway";
    made.producerVersion.clear();
    return made;
}

/// The operand of a fact that is known before the model runs and is neither tensor nor number.
std::optional<Operand> settingOf(ir::Context &context, const ops::Fact &fact)
{
    if (const auto *dtype = fact.as<DType>())
        return Operand(*dtype);
    if (const auto *device = fact.as<ir::Device>())
        return Operand(*device);
    if (const auto *layout = fact.as<ir::Layout>())
        return Operand(*layout);
    if (const auto *format = fact.as<ir::MemoryFormat>())
        return Operand(*format);
    if (const auto *text = fact.as<ops::TextFact>())
        return Operand(ir::String{context.name(text->text)});
    return std::nullopt;
}

bool entersAutocast(const NodeRef &node)
{
    const auto object =
        node->arguments.empty() ? std::nullopt : ir::valueOf(node.graph(), &node->arguments.front().value);
    const auto *type = object ? std::get_if<ir::ClassType>(&object->type()) : nullptr;
    return ops::kindOf(node) == ops::kind::enterContext && type
        && node.graph().context().text(type->name).ends_with(".autocast_mode.autocast");
}

bool isWhole(const ops::TensorFact &tensor)
{
    return tensor.dtype && tensor.shape && std::ranges::all_of(*tensor.shape, ops::isKnown);
}

} // namespace

ProgramTranslation::ProgramTranslation(const ir::Model &source, ir::FunctionId function, const analysis::Shapes &shapes,
                                       const analysis::Given &given)
    : m_source(source),
      m_function(function),
      m_shapes(shapes),
      m_given(given),
      m_converted{programAround(source), {}, {}},
      m_graph(m_converted.model),
      m_signatures(*source.context),
      m_left(source, function, shapes),
      m_written(writtenValuesOf(source.at(function).graph, m_signatures)),
      m_needed(source.at(function), shapes, m_written)
{
    for (const analysis::DataSize &size : shapes.dataSizes)
        m_graph.addDataSize(size.name);
}

Result<Converted> ProgramTranslation::run(const Task &task)
{
    CUTAWAY_RETURN_IF_ERROR(addInputs());
    lowerRegion(ir::Graph::body);
    noteWhatActs();
    if (task.stopRequested())
        return cancelled();
    addOutputs();
    std::vector<Operand> results;
    for (const ir::FunctionOutput &output : m_outputs)
        results.push_back(output.value);
    m_graph.graph().setOutputs(ir::Graph::body, std::move(results));
    m_graph.finish();
    nameSignature();
    m_converted.model.symbols = symbols();
    m_converted.model.functions.push_back({m_source.context->name("forward"),
                                           ir::Function::Kind::Main,
                                           std::move(m_graph.graph()),
                                           std::move(m_inputs),
                                           std::move(m_outputs),
                                           {},
                                           {}});
    return std::move(m_converted);
}

// ---- values

ops::Fact ProgramTranslation::fact(const Operand &operand) const
{
    const ops::FactsOfValues facts([this](ValueId id) -> const ops::Fact & { return m_shapes.of(id); });
    return ops::factOf(*m_source.context, facts, operand);
}

void ProgramTranslation::refuse(std::string reason)
{
    if (m_reason.empty())
        m_reason = std::move(reason);
}

/// The operand that a fact alone determines: a constant, a size, a list of these.
std::optional<Operand> ProgramTranslation::resolved(const ops::Fact &fact)
{
    if (auto constant = constantOf(fact))
        return constant;
    if (auto setting = settingOf(*m_source.context, fact))
        return setting;
    if (const auto *list = fact.as<ops::SequenceFact>(); list && list->items()) {
        ir::List made{{}, list->kind};
        for (const ops::Fact &item : list->each()) {
            auto each = resolved(item);
            if (!each)
                return std::nullopt;
            made.items.push_back(std::move(*each));
        }
        return made;
    }
    const auto *number = fact.as<ops::NumberFact>();
    const auto *size =
        number && number->kind == ops::NumberFact::Kind::Int ? std::get_if<ir::Dim>(&number->value) : nullptr;
    return size ? m_graph.size(*size) : std::nullopt;
}

std::optional<Operand> ProgramTranslation::valueOf(ValueId id)
{
    const ops::Fact &known = m_shapes.of(id);
    if (!known.as<ops::SequenceFact>())
        if (auto constant = constantOf(known) ? constantOf(known) : settingOf(*m_source.context, known))
            return constant;
    if (const auto found = m_values.find(id); found != m_values.end())
        return found->second;
    if (const auto *weight = std::get_if<ir::Weight>(&source().at(id).definition))
        return Operand(m_graph.weight(weight->tensor));
    return known.as<ops::NumberFact>() ? resolved(known) : std::nullopt;
}

/// The operand in the program.
Operand ProgramTranslation::made(const Operand &operand)
{
    if (const auto *list = operand.as<ir::List>()) {
        ir::List items{{}, list->kind};
        for (const Operand &item : list->items)
            items.items.push_back(made(item));
        return items;
    }
    if (const auto *tensor = operand.as<ir::TensorId>())
        return m_graph.weight(*tensor);
    const auto *value = operand.as<ValueId>();
    if (!value)
        return operand;
    if (auto found = valueOf(*value))
        return *found;
    if (m_failed.contains(*value))
        m_isConsequence = true;
    else
        refuse(formatted("nothing was made of '{}'", ir::ValueRef(source(), *value).name()));
    return ir::None();
}

Operand ProgramTranslation::argument(const NodeRef &node, std::string_view parameter)
{
    const Operand *given = ops::givenArgument(node, m_signatures.of(node->op), parameter);
    return given ? made(*given) : Operand(ir::None());
}

Operand ProgramTranslation::argument(const NodeRef &node, std::size_t position)
{
    const ops::Signature *known = m_signatures.of(node->op);
    const Operand *given = known && position < known->schema.arguments.size()
        ? ops::givenArgument(node, known, position)
        : position < node->arguments.size() ? &node->arguments[position].value
                                            : nullptr;
    return given ? made(*given) : Operand(ir::None());
}

bool ProgramTranslation::isTensor(const Operand &made) const
{
    const auto *value = made.as<ValueId>();
    return value && ir::ValueRef(m_graph.graph(), *value).tensorType();
}

std::optional<DType> ProgramTranslation::dtypeOf(const Operand &made) const
{
    const auto *value = made.as<ValueId>();
    const auto *type = value ? ir::ValueRef(m_graph.graph(), *value).tensorType() : nullptr;
    return type ? type->dtype : std::nullopt;
}

std::optional<ir::NumberType::Kind> ProgramTranslation::numberKind(const Operand &made) const
{
    using Kind = ir::NumberType::Kind;
    if (made.as<std::int64_t>())
        return Kind::Int;
    if (made.as<double>())
        return Kind::Float;
    if (made.as<bool>())
        return Kind::Bool;
    const auto *value = made.as<ValueId>();
    const auto *type = value ? std::get_if<ir::NumberType>(&ir::ValueRef(m_graph.graph(), *value).type()) : nullptr;
    return type ? std::optional(type->kind) : std::nullopt;
}

std::optional<ir::Type> ProgramTranslation::typeOf(const ops::Fact &fact)
{
    if (fact.as<ops::NoneFact>())
        return ir::PlainType{ir::PlainType::Kind::None};
    if (const auto *tensor = ops::asTensor(fact)) {
        if (!isWhole(*tensor))
            return std::nullopt;
        ir::TensorType type;
        type.dtype = tensor->dtype;
        type.shape = tensor->shape;
        if (tensor->strides && std::ranges::all_of(*tensor->strides, ops::isKnown))
            type.strides = ir::Shape(tensor->strides->begin(), tensor->strides->end());
        return type;
    }
    const auto *number = fact.as<ops::NumberFact>();
    if (!number)
        return std::nullopt;
    ir::NumberType type{number->kind, std::nullopt};
    const auto *dim = std::get_if<ir::Dim>(&number->value);
    const auto *known = dim ? std::get_if<Expr>(dim) : nullptr;
    if (number->kind == ops::NumberFact::Kind::Int)
        type.value = known ? *known : m_graph.freshSymbol("u");
    else if (number->kind == ops::NumberFact::Kind::Float)
        type.value = m_graph.freshSymbol("zuf");
    else if (number->kind == ops::NumberFact::Kind::Bool)
        type.value = Expr::make(symbolic::Kind::Equal, {m_graph.freshSymbol("u"), Expr::integer(1)});
    return type.value ? std::optional<ir::Type>(type) : std::nullopt;
}

Operand ProgramTranslation::make(const NodeRef &node, const ProgramNode &program)
{
    const auto type = typeOf(fact(node.output(0).id()));
    if (!type) {
        refuse(whyUnknown(node, "the type of its result is not known"));
        return ir::None();
    }
    return isRefused() ? Operand(ir::None()) : Operand(m_graph.make(program, *type, node.output(0).name()));
}

// ---- the signature

Result<void> ProgramTranslation::addInputs()
{
    for (const ir::FunctionInput &input : function().inputs)
        if (auto added = addInput(input); !added)
            return added;
    const std::vector<std::string> all{ir::sequenceSpec(ir::List::Kind::Tuple, m_inSpecs), ir::dictSpec({}, {})};
    m_converted.model.metadata.emplace_back(ir::inSpecKey, "[1," + ir::sequenceSpec(ir::List::Kind::Tuple, all) + "]");
    return {};
}

Result<void> ProgramTranslation::addInput(const ir::FunctionInput &input)
{
    const auto *value = input.value.as<ValueId>();
    if (!value || input.kind != ir::FunctionInput::Kind::User
        || std::holds_alternative<ir::Weight>(source().at(*value).definition))
        return {};
    const std::string_view name = m_source.context->text(input.name);
    const ops::Fact known = fact(input.value);
    const auto given = m_given.inputs.find(name);
    const bool isNumber = known.as<ops::NumberFact>() && given != m_given.inputs.end();
    if (const auto constant = constantOf(*m_source.context, isNumber ? given->second : known)) {
        if (isNumber)
            m_values.insert_or_assign(*value, *constant);
        if (given != m_given.inputs.end() && !constant->as<ir::None>()) {
            const ir::NameId made = m_source.context->name(programName(name));
            m_inputs.push_back({made, ir::FunctionInput::Kind::ConstantInput, *constant, {}, {}});
            m_inSpecs.push_back(ir::leafSpec());
        }
        m_converted.notes.push_back(formatted("the input '{}' is fixed", name));
        return {};
    }
    if (source().at(*value).uses.empty() && !typeOf(known)) {
        m_converted.notes.push_back(formatted("the input '{}' is not read, and no input of the program", name));
        return {};
    }
    CUTAWAY_TRY(auto made, inputOf(known, name, name));
    m_inSpecs.push_back(ir::specOf(*m_source.context, made));
    m_values.insert_or_assign(*value, std::move(made));
    return {};
}

/// A list or tuple is an input for each of its items.
Result<Operand> ProgramTranslation::inputOf(const ops::Fact &fact, std::string_view name, std::string_view whole)
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
    const auto type = fact.as<ops::NumberFact>() ? std::nullopt : typeOf(fact);
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
    const ValueId value = m_graph.addInput(name, *type);
    m_inputs.push_back({{}, ir::FunctionInput::Kind::User, value, {}, {}});
    return Operand(value);
}

void ProgramTranslation::addOutputs()
{
    for (const ir::FunctionOutput &output : function().outputs)
        addOutput(output);
    const bool isOne = m_outSpecs.size() == 1;
    m_converted.model.metadata.emplace_back(
        ir::outSpecKey,
        "[1," + (isOne ? m_outSpecs.front() : ir::sequenceSpec(ir::List::Kind::Tuple, m_outSpecs)) + "]");
}

void ProgramTranslation::addOutput(const ir::FunctionOutput &output)
{
    const Operand operand = made(output.value);
    const std::string_view name = m_source.context->text(output.name);
    m_isConsequence = false;
    if (!m_reason.empty()) {
        m_converted.missing.push_back({"a result", std::exchange(m_reason, {}), {std::string(name)}});
        return;
    }
    if (output.kind == ir::FunctionOutput::Kind::User || output.kind == ir::FunctionOutput::Kind::Loss) {
        m_outSpecs.push_back(ir::specOf(*m_source.context, operand));
        return addUserOutput(operand, name);
    }
    for (ir::TensorId id{0}; id.index < m_source.tensors.size(); ++id.index)
        if (output.kind == ir::FunctionOutput::Kind::BufferMutation && m_source.at(id).name == output.target)
            m_graph.keepWeight(id);
    ir::FunctionOutput made = output;
    made.value = operand;
    m_outputs.push_back(std::move(made));
}

/// The items of lists and dictionaries one by one, in the order in which torch flattens them.
void ProgramTranslation::addUserOutput(const Operand &operand, std::string_view name)
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
    if (isValue && numberKind(operand) == ir::NumberType::Kind::Bool)
        m_converted.missing.push_back(
            {"a result", "torch 2.6 loads no program that returns a Boolean of data", {std::string(name)}});
    else if (!isValue && !operand.as<std::int64_t>() && !operand.as<double>() && !operand.as<ir::None>())
        m_converted.missing.push_back({"a result", "it is no tensor and no number", {std::string(name)}});
    m_outputs.push_back({m_source.context->name(name), ir::FunctionOutput::Kind::User, operand, {}});
}

/// By the names that values have in the end; the weights stand in front.
void ProgramTranslation::nameSignature()
{
    const ir::Graph &graph = m_graph.graph();
    std::unordered_map<ir::NameId, ir::NameId> inputNames, tensorNames; // of the source, in the program
    for (ir::FunctionInput &input : m_inputs)
        if (const auto *value = input.value.as<ValueId>())
            input.name = graph.at(*value).name;
    for (const ir::FunctionInput &input : function().inputs)
        if (const auto *value = input.value.as<ValueId>())
            if (const auto made = m_values.find(*value); made != m_values.end() && made->second.as<ValueId>())
                inputNames.emplace(input.name, graph.at(*made->second.as<ValueId>()).name);
    for (ir::TensorId id{0}; id.index < m_source.tensors.size(); ++id.index)
        tensorNames.emplace(m_source.at(id).name, m_converted.model.at(id).name);
    for (ir::FunctionOutput &output : m_outputs) {
        if (const auto *value = output.value.as<ValueId>())
            output.name = graph.at(*value).name;
        const auto &names = output.kind == ir::FunctionOutput::Kind::UserInputMutation ? inputNames : tensorNames;
        if (const auto found = names.find(output.target); found != names.end())
            output.target = found->second;
    }
    std::vector<ir::FunctionInput> weights = m_graph.weightInputs();
    m_inputs.insert(m_inputs.begin(), weights.begin(), weights.end());
}

/// With the ranges of the source, as far as nodes leave them; what data decides is a number of elements, and not below
/// 0.
std::vector<ir::Symbol> ProgramTranslation::symbols()
{
    std::vector<ir::Symbol> made;
    const analysis::NeededSizes needed(m_source, m_shapes);
    for (const auto &[name, symbol] : m_graph.symbols()) {
        const auto known = std::ranges::find(m_source.symbols, name, &ir::Symbol::name);
        ir::Symbol next = known == m_source.symbols.end() ? ir::Symbol{} : *known;
        next.name = symbol;
        if (known != m_source.symbols.end() && name != symbol)
            noteOnce(formatted("the size '{}' is called {}", name, symbol));
        if (known != m_source.symbols.end()) {
            const symbolic::Range range = needed.rangeOf(name);
            next.min = range.min;
            if (range.max < symbolic::Range().max)
                next.max = range.max;
        }
        if (std::ranges::contains(m_shapes.dataSizes, name, &analysis::DataSize::name))
            next.min = 0;
        else if (known != m_source.symbols.end() && !next.hint)
            next.hint = needed.suitable(name, firstHint + hintStep * static_cast<std::int64_t>(made.size()));
        made.push_back(std::move(next));
    }
    return made;
}

// ---- notes

std::string ProgramTranslation::whyUnknown(const NodeRef &node, const std::string &what) const
{
    const auto stop = std::ranges::find(m_shapes.stops, node.id(), &analysis::Stop::node);
    return stop == m_shapes.stops.end() || stop->reason.empty() ? what : what + ": " + stop->reason;
}

void ProgramTranslation::noteOnce(std::string_view sentence)
{
    if (!std::ranges::contains(m_converted.notes, sentence))
        m_converted.notes.emplace_back(sentence);
}

/// Checks and what prints have no results that anything needs.
void ProgramTranslation::noteWhatActs()
{
    for (ir::NodeId id{0}; id.index < source().nodeCount(); ++id.index) {
        const NodeRef node(source(), id);
        const ops::Operator *row = node->removed ? nullptr : ops::findOperator(node.dialect(), node.opName());
        if (!row || row->traits.effect != ops::Effect::Acts)
            continue;
        if (entersAutocast(node))
            m_converted.missing.push_back({node.fullName(), "there is no rule for torch.autocast", {placeOf(node)}});
        else if (ops::kindOf(node) == ops::kind::raise)
            noteOnce("checks that raise an error are left out");
        else if (node->outputs.empty())
            noteOnce("what checks, warns or prints is left out");
    }
}

/// The node is missing, unless it only reads what is missing.
void ProgramTranslation::keep(const NodeRef &node)
{
    m_failed.insert(node->outputs.begin(), node->outputs.end());
    const std::string reason = std::exchange(m_reason, {});
    m_isConsequence = false;
    if (reason.empty())
        return;
    const std::string op = formatted("{}::{}", node.dialect(), node.opName());
    const auto [known, isNew] = m_missing.try_emplace({op, reason}, m_converted.missing.size());
    if (isNew)
        m_converted.missing.push_back({op, reason, {}});
    m_converted.missing[known->second].places.push_back(placeOf(node));
}

} // namespace cutaway::convert
