// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/convert/translation.h"

#include "core/base/formatted.h"
#include "core/base/result.h"
#include "core/convert/preparation.h"
#include "core/convert/unknown_objects.h"
#include "core/ir/context.h"
#include "core/ir/names.h"
#include "core/ir/signatures.h"
#include "core/ops/fact_source.h"
#include "core/ops/operator.h"
#include "core/ops/program/control_flow.h"
#include "core/rules/rules.h"

#include <algorithm>

// Only what the results need is translated. A node without a rule becomes a node of its operator's own domain, so that
// the nodes after it are translated, too, and the list of missing operators is complete.

namespace cutaway::convert {

namespace {

using ir::DType;
using ir::NodeRef;
using ir::Operand;
using ir::ValueId;

/// Returns the first version of ONNX's file format that has an opset.
int irVersionOf(std::int64_t opset) { return opset < 19 ? 8 : opset < 21 ? 9 : 10; }

/// Returns the ranges of symbols as torch's exporter writes them: "{s0: VR[2, int_oo]}".
std::string rangesText(std::span<const ir::Symbol> symbols)
{
    std::string text;
    const auto bound = [](std::optional<std::int64_t> number, std::string_view none) {
        return number ? std::to_string(*number) : std::string(none);
    };
    for (const ir::Symbol &symbol : symbols)
        if (symbol.min || symbol.max)
            text += formatted("{}{}: VR[{}, {}]", text.empty() ? "" : ", ", symbol.name, bound(symbol.min, "-int_oo"),
                              bound(symbol.max, "int_oo"));
    return text.empty() ? text : "{" + text + "}";
}

ir::Model onnxModelAround(const ir::Model &source, const OnnxOptions &options)
{
    ir::Model made = withoutGraphs(source, "onnx");
    if (std::string ranges = rangesText(source.symbols); !ranges.empty())
        made.metadata.emplace_back("pkg.torch.export.ExportedProgram.range_constraints", std::move(ranges));
    made.formatVersion = formatted("ir {}", irVersionOf(options.opset));
    made.opsets = {{"ai.onnx", options.opset}};
    return made;
}

/// Whether the node has one region, which it runs once.
bool runsOnce(const NodeRef &node)
{
    const ops::Operator *row = ops::findOperator(node.dialect(), node.opName());
    const ops::OperatorKind kind = ops::kindOf(node);
    return node->regions.size() == 1
        && (kind == ops::kind::wrapWithAutocast || kind == ops::kind::wrapWithSetGrad || kind == ops::kind::fork
            || (row && row->traits.runsRegionOnce));
}

} // namespace

std::optional<ir::TensorType> onnxType(const ops::Fact &fact)
{
    ir::TensorType type;
    if (const auto *tensor = ops::asTensor(fact)) {
        type.dtype = tensor->dtype;
        type.shape = tensor->shape;
        return type;
    }
    const auto *number = fact.as<ops::NumberFact>();
    if (!number)
        return std::nullopt;
    type.dtype = number->kind == ops::NumberFact::Kind::Bool ? DType::Bool
        : number->kind == ops::NumberFact::Kind::Float       ? DType::Float64
                                                             : DType::Int64;
    type.shape = ir::Shape();
    return type;
}

std::optional<ir::TensorType> itemType(const ops::Fact &fact)
{
    const auto *list = fact.as<ops::SequenceFact>();
    if (!list || list->kind != ir::List::Kind::List || list->each().empty())
        return std::nullopt;
    ir::TensorType type;
    for (const ops::Fact &item : list->each()) {
        const auto *tensor = ops::asTensor(item);
        if (!tensor || !tensor->dtype || (type.dtype && type.dtype != tensor->dtype))
            return std::nullopt;
        type.dtype = tensor->dtype;
    }
    if (list->each().size() == 1)
        type.shape = ops::asTensor(list->each().front())->shape;
    return type;
}

Translation::Translation(const ir::Model &source, ir::FunctionId function, const analysis::Shapes &shapes,
                         const OnnxOptions &options)
    : m_source(source),
      m_function(function),
      m_shapes(shapes),
      m_options(options),
      m_converted{onnxModelAround(source, options), {}, {}},
      m_losses(m_converted),
      m_graph(m_converted.model),
      m_signatures(*source.context),
      m_customNodes(m_options.table, m_signatures, m_losses),
      m_calls(source, m_signatures, [this](ValueId value) { return &factOf(value); }),
      m_written(writtenValuesOf(source.at(function).graph, m_signatures)),
      m_needed(source.at(function), shapes, m_written)
{
}

Result<Converted> Translation::run(const Task &task)
{
    CUTAWAY_RETURN_IF_ERROR(addInputs());
    lowerRegion(ir::Graph::body);
    m_losses.noteEffects(source());
    if (task.stopRequested())
        return cancelled();
    CUTAWAY_RETURN_IF_ERROR(addOutputs());
    std::vector<Operand> results;
    for (const ir::FunctionOutput &output : m_outputs)
        results.push_back(output.value);
    m_graph.graph().setOutputs(ir::Graph::body, std::move(results));
    m_graph.removeUnread();
    ir::Function made{function().name,
                      ir::Function::Kind::Main,
                      std::move(m_graph.graph()),
                      std::move(m_inputs),
                      std::move(m_outputs),
                      {},
                      {}};
    m_converted.model.functions.push_back(std::move(made));
    for (const auto &[domain, version] : m_customNodes.domains())
        m_converted.model.opsets.emplace_back(domain, version);
    return std::move(m_converted);
}

// ---- values

ops::Fact Translation::fact(const Operand &operand) const
{
    const ops::FactsOfValues source([this](ValueId id) -> const ops::Fact & { return factOf(id); });
    return ops::factOf(*m_source.context, source, operand);
}

/// Returns the fact of a value of the source, or of a decomposed node's value.
const ops::Fact &Translation::factOf(ValueId value) const
{
    return m_decomposed && m_decomposed->hasMade(value) ? m_decomposed->fact(value) : m_shapes.of(value);
}

const Lowered *Translation::of(ValueId value) const
{
    const auto found = m_values.find(value);
    return found == m_values.end() ? nullptr : &found->second;
}

Result<void> Translation::addInputs()
{
    for (ValueId id{0}; id.index < source().valueCount(); ++id.index)
        if (const auto *weight = std::get_if<ir::Weight>(&source().at(id).definition)) {
            Lowered made;
            made.operand = m_graph.weight(weight->tensor);
            made.dtype = m_source.at(weight->tensor).dtype;
            m_values.emplace(id, std::move(made));
        }
    for (const ir::FunctionInput &input : function().inputs) {
        const auto *value = input.value.as<ValueId>();
        if (!value || m_values.contains(*value) || input.kind != ir::FunctionInput::Kind::User)
            continue;
        const std::string_view name = m_source.context->text(input.name);
        const ops::Fact known = fact(input.value);
        if (known.as<ops::NoneFact>()) {
            m_losses.note(formatted("the input '{}' is fixed: it is None", name));
            continue;
        }
        if (known.as<ops::TextFact>() || isKnownNumber(known)) {
            m_losses.note(formatted("the input '{}' is fixed", name));
            continue;
        }
        if (source().at(*value).uses.empty() && !onnxType(known)) {
            m_losses.note(formatted("the input '{}' is not read, and no input of the ONNX model", name));
            continue;
        }
        const auto type = onnxType(known);
        if (!type)
            return usageError(formatted("the input '{}' is neither a tensor nor a number", name));
        if (!type->dtype || !type->shape)
            return usageError(formatted("the shape and dtype of the input '{}' are not known; give them as --input "
                                        "{}=1x3x224x224:float32",
                                        name, name));
        Lowered made;
        made.operand = m_graph.graph().addInput(ir::Graph::body, input.name, m_source.context->type(*type));
        m_graph.takeName(name);
        made.dtype = *type->dtype;
        m_inputs.push_back({input.name, ir::FunctionInput::Kind::User, made.operand, {}, {}});
        m_values.emplace(*value, std::move(made));
    }
    return {};
}

// ---- nodes

void Translation::lowerRegion(ir::RegionId region)
{
    for (const NodeRef node : ir::nodesOf(source(), region))
        if (m_needed.areMadeBy(node))
            lowerNode(node);
}

void Translation::lowerNode(const NodeRef &node)
{
    m_graph.from(m_whole.value_or(node));
    const ops::OperatorKind kind = ops::kindOf(node);
    std::optional<std::string> reason;
    if (m_written.areAt(node))
        reason = writtenInPlace;
    else if (const CustomOperator *custom = m_customNodes.inTable(node))
        reason = lowerByTable(node, *custom);
    else if ((kind == ops::kind::ifElse || kind == ops::kind::cond) && node->regions.size() == 2)
        reason = lowerIf(node);
    else if (kind == ops::kind::loop && node->regions.size() == 1)
        reason = lowerLoop(node);
    else if (kind == ops::kind::whileLoop && node->regions.size() == 2)
        reason = lowerWhile(node);
    else if ((kind == ops::kind::map || kind == ops::kind::scan) && node->regions.size() == 1)
        reason = lowerSliced(node);
    else if (runsOnce(node))
        reason = lowerWrapper(node);
    else
        reason = lowerByRulesOrParts(node);
    if (reason)
        keep(node, *reason);
}

/// Lowers a node by the rules of its operator, or else by the rules of the nodes that it decomposes to. Returns why
/// neither is possible; nothing on success.
std::optional<std::string> Translation::lowerByRulesOrParts(const NodeRef &node)
{
    auto refused = lowerByRules(node);
    if (!refused)
        return std::nullopt;
    const auto left = lowerDecomposed(node);
    if (!left)
        return std::nullopt;
    if (left->empty())
        return refused->empty() ? "there is no rule for it" : *refused;
    return refused->empty() ? *left : formatted("{}; it is not decomposed: {}", *refused, *left);
}

/// Converts the nodes of which the node's operator is composed. Returns why the node cannot be decomposed, "" if no
/// rule decomposes it; nothing on success.
std::optional<std::string> Translation::lowerDecomposed(const NodeRef &node)
{
    if (!m_decomposed)
        m_decomposed = std::make_unique<DecomposedNodes>(m_source, m_function, m_shapes);
    const std::size_t before = m_graph.madeCount();
    const auto made = m_decomposed->of(node);
    if (!made)
        return made.error();
    const auto isNeeded = [&](const ir::ValueRef &output) {
        return !isKnownNumber(factOf(output))
            && (!output->uses.empty() || std::ranges::contains(made->results, Operand(output.id())));
    };
    const bool isOfSource = !m_whole;
    if (isOfSource)
        m_whole = node;
    for (const NodeRef &each : made->nodes)
        for (std::size_t i = 0; i < each.outputCount(); ++i)
            if (isNeeded(each.output(i))) {
                lowerNode(each);
                break;
            }
    if (isOfSource)
        m_whole.reset();
    m_graph.from(m_whole.value_or(node));
    Lowering l = lowering(node);
    for (std::size_t i = 0; i < made->results.size(); ++i)
        set(node.output(i), asDeclared(l, l.lowered(made->results[i]), node.output(i)), before);
    return l.isRefused() ? std::optional(l.reason()) : std::nullopt;
}

Lowering Translation::lowering(const NodeRef &node)
{
    const bool isDecomposed = m_decomposed && &node.graph() == &m_decomposed->graph();
    ops::Call call = isDecomposed ? m_decomposed->call(node) : m_calls.of(node);
    return {m_graph, *this, node, std::move(call), m_signatures.of(node->op), m_options.opset};
}

/// Returns why no rule applies, "" if the operator has none; nothing if a rule has applied.
std::optional<std::string> Translation::lowerByRules(const NodeRef &node)
{
    const auto row = ops::findRow(node.dialect(), node.opName());
    const auto known = rules::onnxRulesOf(node.dialect(), row ? row->plain : node.opName());
    std::string reason = whyUnknownObject(node).value_or("");
    Lowering l = lowering(node);
    if (auto unknown = castOperands(l))
        return unknown;
    for (const rules::to_onnx::LoweringRule *rule : known) {
        if (rule->minOpset > m_options.opset) {
            reason = formatted("it needs opset {}", rule->minOpset);
            continue;
        }
        const std::size_t before = m_graph.madeCount();
        l.begin();
        rules::to_onnx::Results results = rule->make(l);
        for (std::size_t i = 0; i < node.outputCount() && i < results.size() && !l.isRefused(); ++i)
            results[i] = asDeclared(l, results[i], node.output(i));
        if (!results.empty() && !l.isRefused()) {
            for (std::size_t i = 0; i < node.outputCount() && i < results.size(); ++i)
                set(node.output(i), std::move(results[i]), before);
            for (const std::string &note : l.notes())
                m_losses.note(note);
            return std::nullopt;
        }
        m_graph.takeBack(before);
        reason = l.isRefused() ? l.reason() : "its rule does not apply";
    }
    return reason;
}

std::optional<std::string> Translation::lowerByTable(const NodeRef &node, const CustomOperator &custom)
{
    Lowering l = lowering(node);
    const auto made = m_customNodes.ofTable(l, custom);
    if (!made)
        return made.error();
    addCustomNode(node, *made);
    return std::nullopt;
}

/// Makes a node of the operator's own domain in place of `node`, and notes that the operator is missing. A node that
/// was made by the decomposition of another node is reported as that other node, since the user knows only the
/// operators of the model.
void Translation::keep(const NodeRef &node, const std::string &reason)
{
    const auto plainName = [](const NodeRef &of) { return formatted("{}::{}", of.dialect(), of.opName()); };
    const NodeRef ofModel = m_whole.value_or(node);
    m_losses.miss(plainName(ofModel), m_whole ? formatted("its part {}: {}", plainName(node), reason) : reason,
                  placeOf(ofModel));
    if (m_options.keepsUnknown && !ops::findOperator(node.dialect(), node.opName()) && !m_signatures.of(node->op))
        m_losses.note(formatted("{} is taken not to write to its arguments, which is not known", plainName(node)));
    Lowering l = lowering(node);
    addCustomNode(node, m_customNodes.kept(l));
}

void Translation::addCustomNode(const NodeRef &node, const NewNode &made)
{
    m_graph.from(node);
    const std::size_t before = m_graph.madeCount();
    setResults(node, m_graph.add(made, node.outputCount()), before);
}

/// Returns `lowered` in the dtype that the source has for `value`.
Lowered Translation::asDeclared(Lowering &l, const Lowered &lowered, ValueId value)
{
    const auto type = onnxType(factOf(value));
    if (lowered.items || lowered.isSequence || lowered.operand.as<ir::None>() || !type || !type->dtype
        || *type->dtype == lowered.dtype)
        return lowered;
    return cast(Term{&l, lowered.operand, lowered.dtype}, *type->dtype);
}

void Translation::set(ValueId value, Lowered lowered, std::size_t madeBefore)
{
    if (const auto *made = lowered.operand.as<ValueId>(); made && m_graph.isMadeSince(*made, madeBefore)) {
        const bool isDecomposed = m_decomposed && m_decomposed->hasMade(value);
        const ir::ValueRef before(isDecomposed ? m_decomposed->graph() : source(), value);
        if (!before.name().empty())
            m_graph.setName(*made, before.name());
        if (const auto type = onnxType(factOf(value)); type && type->dtype == lowered.dtype)
            m_graph.setType(*made, *type);
    }
    m_values.insert_or_assign(value, std::move(lowered));
}

// ---- results

Result<void> Translation::addOutputs()
{
    m_graph.enter(ir::Graph::body);
    for (const ir::FunctionOutput &output : function().outputs) {
        if (!ir::isResult(output)) {
            m_losses.note(formatted("what becomes of '{}' is no result of the ONNX model",
                                    m_source.context->text(output.target)));
            continue;
        }
        if (output.value.as<ir::None>())
            continue;
        if (auto added = addOutput(loweredResult(output.value), m_source.context->text(output.name)); !added)
            return added;
    }
    return {};
}

/// Returns a result of the function as it is in the ONNX graph; a number that is known becomes a constant.
Lowered Translation::loweredResult(const Operand &operand)
{
    const auto &nodes = source().at(ir::Graph::body).nodes;
    if (const auto *value = operand.as<ValueId>(); value && of(*value))
        return *of(*value);
    return nodes.empty() ? Lowered() : lowering({source(), nodes.back()}).lowered(operand);
}

/// Adds an output; for a list, one for each of its items.
Result<void> Translation::addOutput(const Lowered &lowered, std::string_view name)
{
    if (lowered.items) {
        for (std::size_t i = 0; i < lowered.items->size(); ++i)
            if (auto added = addOutput((*lowered.items)[i], formatted("{}_{}", name.empty() ? "output" : name, i));
                !added)
                return added;
        return {};
    }
    const auto *value = lowered.operand.as<ValueId>();
    if (!value || lowered.isSequence)
        return usageError(formatted("the result '{}' is {}", name,
                                    value ? "a list whose length is known only when the model runs" : "no tensor"));
    const ValueId made = returned(*value);
    const bool isInput = std::ranges::contains(m_inputs, m_source.context->name(name), &ir::FunctionInput::name);
    if (name.empty() || made != *value || isInput) // a value that was written to an input cannot have that input's name
        name = ir::ValueRef(m_graph.graph(), made).name();
    m_outputs.push_back({m_source.context->name(name), ir::FunctionOutput::Kind::User, made, {}});
    return {};
}

/// Returns a value for a result of the body: the value itself if a node makes it and no earlier result is this value,
/// else a copy.
ValueId Translation::returned(ValueId value)
{
    const bool isMade = std::holds_alternative<ir::NodeResult>(m_graph.graph().at(value).definition);
    if (isMade && m_returned.insert(value).second)
        return value;
    const ValueId copy = m_graph.add({"Identity", {value}})->outputs.front();
    m_graph.graph().setType(copy, m_graph.graph().at(value).type);
    m_graph.setName(copy, "output");
    return copy;
}

} // namespace cutaway::convert
