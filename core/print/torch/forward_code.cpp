// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/torch/forward_code.h"

#include "core/analysis/shapes.h"
#include "core/base/formatted.h"
#include "core/base/text.h"
#include "core/ir/names.h"
#include "core/ops/operator.h"
#include "core/ops/torch/signatures.h"
#include "core/passes/left_nodes.h"
#include "core/print/python_names.h"
#include "core/print/torch/dotted_path.h"
#include "core/print/torch/holes.h"
#include "core/print/torch/signature_code.h"
#include "core/print/torch/tensor_paths.h"

#include <algorithm>
#include <array>
#include <ranges>

namespace cutaway::print {

namespace {

/// Whether an operand stands for something that code of a forward() cannot name.
bool isElsewhere(const ir::Operand &operand)
{
    return operand.as<symbolic::Expr>() || operand.as<ir::ObjectId>() || operand.as<ir::FunctionId>()
        || operand.as<ir::OpId>() || operand.as<ir::TypeId>();
}

/// Notes that the results of a loop and the inputs of its body are variables that the loop assigns.
void addLoopVariables(const CodeSource &source, const ir::NodeRef &node, ValueReads &reads)
{
    if (source.forms.formOf(node) != StatementForm::Loop || !loopOf(node))
        return;
    for (std::size_t i = 0; i < node.outputCount(); ++i) {
        reads.addVariable(node->outputs[i]);
        reads.addVariable(node.region(0).inputs[i + 1]);
    }
}

/// Returns why lower-to-aten has left a node of ONNX.
std::string whyLeft(const CodeSource &source, const ir::NodeRef &node)
{
    const auto function = static_cast<std::uint32_t>(
        std::ranges::find(source.model.functions, &source.function, [](const auto &each) { return &each; })
        - source.model.functions.begin());
    const analysis::Shapes shapes = analysis::inferShapes(source.model, ir::FunctionId{function});
    return passes::LeftNodes(source.model, ir::FunctionId{function}, shapes).why(node);
}

} // namespace

ForwardCode::ForwardCode(const CodeSource &source, const ModuleCall &call)
    : m_source(source),
      m_graph(source.function.graph),
      m_call(call),
      m_literals(
          source.model, [this](ir::ValueId id) { return valueCode(id).text; },
          [this](ir::TensorId id) { return tensorCode(id).text; }),
      m_integers(source.model, m_graph, source.paths, source.forms,
                 [this](const ir::NodeRef &node) { return m_reads.isSteady(node); }),
      m_names(m_graph),
      m_reads(m_source, call)
{
    for (ir::NodeId id{0}; id.index < m_graph.nodeCount(); ++id.index) {
        const ir::NodeRef node(m_graph, id);
        const ops::Operator *row = node->removed ? nullptr : ops::findOperator(node.dialect(), node.opName());
        m_reshapesInPlace = m_reshapesInPlace || (row && row->traits.reshapesInPlace && node.opName().ends_with('_'));
        if (!node->removed && source.forms.formOf(node) == StatementForm::SetAttribute)
            if (const ir::Operand *name = argumentOf(node, "name", 1); name && name->as<ir::String>())
                m_setAttributes.emplace(m_graph.context().text(name->as<ir::String>()->text));
        if (!node->removed)
            addLoopVariables(source, node, m_reads);
    }
    m_reads.count(m_integers);
}

Result<Forward> ForwardCode::print()
{
    std::string list = "self";
    std::size_t values = 0;
    static constexpr std::array<std::string_view, 4> names{"x", "y", "z", "w"};
    for (const ir::Operand &input : m_call.inputs) {
        if (const auto *tensor = input.as<ir::TensorId>()) {
            const std::string name = m_names.fresh(lastName(m_source.paths.of(*tensor)));
            m_parameters.emplace(*tensor, name);
            list += ", " + name;
            continue;
        }
        const std::string name = m_names.fresh(values < names.size() ? names[values] : "x");
        ++values;
        m_names.set(*input.as<ir::ValueId>(), name);
        list += ", " + name;
    }
    m_lines.open("def forward(" + list + "):");
    addItems(m_call.items);
    addReturn([&] {
        std::vector<std::string> results;
        for (const ir::ValueId output : m_call.outputs)
            results.push_back(valueCode(output).text);
        return joined(results, ", ");
    });
    if (m_error)
        return std::unexpected(*m_error);
    return Forward{m_lines.take()};
}

Result<Forward> ForwardCode::printMain()
{
    MainSignature signature(m_source.model, m_source.function);
    const std::vector<std::string> unpacking =
        signature.parameters([&](ir::ValueId value, const std::string &name) { m_names.set(value, name); },
                             [&](std::string_view wanted) { return m_names.fresh(wanted); });
    m_lines.open("def forward(" + joined(signature.list(), ", ") + "):");
    for (const std::string &line : unpacking)
        m_lines.add(line);
    addItems(m_call.items);
    addMutations();
    addReturn([&] { return signature.results([&](const ir::Operand &operand) { return text(operand); }); });
    if (m_error)
        return std::unexpected(*m_error);
    return Forward{m_lines.take()};
}

void ForwardCode::alias(ir::ValueId value, Expression expression)
{
    m_aliases.insert_or_assign(value, std::move(expression));
}

// ---- operands

Expression ForwardCode::tensorCode(ir::TensorId tensor)
{
    if (const std::string *literal = m_source.plan.literal(tensor))
        return {*literal, true, 1};
    if (const auto known = m_parameters.find(tensor); known != m_parameters.end())
        return {known->second};
    return {m_source.tree.access(m_call.path, m_source.paths.of(tensor))};
}

Expression ForwardCode::valueCode(ir::ValueId value)
{
    if (const Expression *pending = m_lines.takePending(value))
        return *pending;
    if (const auto known = m_aliases.find(value); known != m_aliases.end())
        return known->second;
    if (const auto tensor = m_source.paths.tensorOf(value))
        return tensorCode(*tensor);
    return {m_names.of(value)};
}

Expression ForwardCode::code(const ir::Operand &operand, std::string_view parameter)
{
    if (const auto *value = operand.as<ir::ValueId>())
        return valueCode(*value);
    if (const auto *number = operand.as<std::int64_t>())
        return {hole(parameter, std::to_string(*number)), *number >= 0};
    if (operand.as<double>())
        return {hole(parameter, m_literals.print(operand)), *operand.as<double>() >= 0};
    if (const auto *string = operand.as<ir::String>()) // enums are not printed, so their members are printed as texts
        return {quote(m_graph.context().text(string->text))};
    if (const auto *list = operand.as<ir::List>()) {
        const bool isTuple = list->kind == ir::List::Kind::Tuple;
        const bool isSingle = isTuple && list->items.size() == 1;
        return itemsCode(list->items, parameter, {isTuple ? "(" : "[", ", ", isSingle ? ",)" : isTuple ? ")" : "]"});
    }
    if (const auto *dict = operand.as<ir::Dict>())
        return itemsCode(dict->items, parameter, {"{", ": ", "}"});
    if (isElsewhere(operand) && !m_error)
        m_error = Error{ErrorKind::Usage, formatted("'{}' has no code here", m_literals.print(operand)), ""};
    return {m_literals.print(operand)};
}

/// Returns the code of items. `brackets`: the texts before the items, between them, and at the end.
Expression ForwardCode::itemsCode(std::span<const ir::Operand> items, std::string_view parameter,
                                  const std::array<std::string_view, 3> &brackets)
{
    Expression made{std::string(brackets[0])};
    for (std::size_t i = 0; i < items.size(); ++i) {
        const Expression item = code(items[i], parameter);
        made.text.append(i == 0 ? "" : i % 2 == 1 ? brackets[1] : ", ").append(item.text);
        made.depth = std::max(made.depth, item.depth);
    }
    made.text += brackets[2];
    return made;
}

std::vector<std::string> ForwardCode::texts(std::span<const ir::Operand> operands)
{
    std::vector<std::string> all;
    for (const ir::Operand &operand : operands)
        all.push_back(text(operand));
    return all;
}

// ---- statements

void ForwardCode::assign(std::span<const std::string> targets, Values values,
                         const std::function<Expression()> &expression, bool unpacks)
{
    const bool isUnread = std::ranges::all_of(values, [&](ir::ValueId value) { return m_reads.of(value) == 0; });
    std::string left;
    for (std::size_t i = 0; i < targets.size() && !isUnread; ++i)
        left += (i > 0 ? ", " : "") + (m_reads.of(values[i]) == 0 ? "_" : targets[i]);
    left += isUnread ? "" : unpacks && targets.size() == 1 ? ", = " : " = ";
    Expression made = m_lines.withPending(expression, left.size());
    m_lines.add(left + made.text);
    const bool isSingle =
        values.size() == 1 && !unpacks && m_reads.of(values[0]) == 1 && !m_reads.isVariable(values[0]);
    if (isSingle)
        m_lines.setPending(values[0], std::move(made));
}

void ForwardCode::addReturn(const std::function<std::string()> &results)
{
    const Expression made = m_lines.withPending([&] { return Expression{results()}; }, sizeof "return");
    if (!made.text.empty())
        m_lines.add("return " + made.text);
    m_lines.close();
}

// ---- steps

void ForwardCode::addItems(const std::vector<PlanItem> &items)
{
    for (const PlanItem &item : items) {
        if (m_error)
            return;
        if (const auto *node = std::get_if<ir::NodeId>(&item))
            addNode({m_graph, *node});
        else
            addCall(*std::get<std::shared_ptr<const ModuleCall>>(item));
    }
}

void ForwardCode::addCall(const ModuleCall &call)
{
    const auto expression = [&] {
        Expression made{m_source.tree.access(m_call.path, call.path) + "("};
        for (std::size_t i = 0; i < call.inputs.size(); ++i) {
            const auto *tensor = call.inputs[i].as<ir::TensorId>();
            const Expression input = tensor ? tensorCode(*tensor) : valueCode(*call.inputs[i].as<ir::ValueId>());
            made.text += (i > 0 ? ", " : "") + input.text;
            made.depth = std::max(made.depth, input.depth);
        }
        made.text += ")";
        ++made.depth;
        return made;
    };
    const std::vector<std::string> targets = m_names.of(call.outputs);
    assign(targets, call.outputs, expression);
}

void ForwardCode::addNodes(ir::RegionId region)
{
    for (const ir::NodeRef node : ir::nodesOf(m_graph, region))
        if (!m_error)
            addNode(node);
}

void ForwardCode::fail(const ir::NodeRef &node, std::string reason)
{
    if (!m_error)
        m_error = Error{ErrorKind::Usage, std::move(reason), ir::nameOf(node)};
}

void ForwardCode::addNode(const ir::NodeRef &node)
{
    if (const Layer *layer = m_source.plan.layer(node)) {
        const auto expression = [&] {
            const Expression data = code(layer->data, "x");
            return Expression{m_source.tree.access(m_call.path, layer->path) + "(" + data.text + ")", true,
                              data.depth + 1};
        };
        return assign(m_names.of(node->outputs), node->outputs, expression);
    }
    if (!addSpecialNode(node))
        addPlainNode(node);
}

void ForwardCode::addPlainNode(const ir::NodeRef &node)
{
    if (!node->regions.empty())
        return fail(node, "there is no Python statement for " + node.fullName());
    if (addEffect(node) || addSize(node) || addInteger(node) || addInPlace(node))
        return;
    const auto expression = [&] { return callCode(node); };
    const bool unpacks = m_source.forms.unpacks(node);
    if (!m_reads.hasVariables() && !unpacks && node.outputCount() == 1 && !m_lines.hasPending()) {
        // The result is only another name for a variable that exists.
        if (Expression made = expression(); isIdentifier(made.text))
            return alias(node->outputs[0], std::move(made));
    }
    assign(m_names.of(node->outputs), node->outputs, expression, unpacks);
}

Expression ForwardCode::callCode(const ir::NodeRef &node)
{
    const auto isDType = [&](const ir::Argument &argument) {
        const auto producer = ir::valueOf(m_graph, &argument.value).and_then(&ir::ValueRef::producer);
        return producer && m_source.forms.isDType(*producer);
    };
    // A node that compares dtypes may have one as an integer, which is then printed as a dtype. Beside a dtype that a
    // node puts into a list, an integer is a position.
    const bool comparesDType =
        m_source.forms.formOf(node) != StatementForm::Effect && std::ranges::any_of(node->arguments, isDType);
    auto made = m_source.forms.of(node, [&](const ir::Operand &operand, std::string_view name) {
        const auto *number = comparesDType ? operand.as<std::int64_t>() : nullptr;
        const auto dtype = number ? ir::dtypeFromNumber(*number, ir::Numbering::C10) : std::nullopt;
        return code(dtype ? ir::Operand(*dtype) : operand, name);
    });
    if (made)
        return *std::move(made);
    const bool isFirst = !m_error; // only the first error is reported: later ones need no reason
    fail(node, made.error().message + (isFirst && node.isOnnx() ? ": " + whyLeft(m_source, node) : ""));
    return {};
}

/// Adds "x += y". The result is another name of the written value.
bool ForwardCode::addInPlace(const ir::NodeRef &node)
{
    const std::string sign = m_source.forms.augmented(node);
    if (sign.empty() || node.outputCount() != 1)
        return false;
    const auto given = m_source.forms.givenTo(node);
    const auto *written = given[0].value->as<ir::ValueId>();
    const bool isNamed = written && !m_source.paths.tensorOf(*written) && isIdentifier(valueCode(*written).text);
    if (!isNamed)
        return false;
    const std::string target = valueCode(*written).text;
    const auto statement = [&] {
        Expression made = code(*given[1].value, given[1].name);
        made.text = target + " " + std::string(sign) + " " + made.text;
        return made;
    };
    if (m_lines.isPending(*written))
        m_lines.keepPending(); // the statement of the written value is printed first
    m_lines.add(m_lines.withPending(statement, 0).text);
    if (m_reads.isVariable(*written))
        m_lines.add(m_names.of(node->outputs[0]) + " = " + target);
    else
        alias(node->outputs[0], {target});
    return true;
}

/// Adds a statement that changes a list or dictionary, if the node is one. Its results are aliases of the list.
bool ForwardCode::addEffect(const ir::NodeRef &node)
{
    if (m_source.forms.formOf(node) != StatementForm::Effect)
        return false;
    m_lines.add(m_lines.withPending([&] { return callCode(node); }, 0).text);
    for (const ir::ValueId output : node->outputs)
        alias(output, code(node->arguments.front().value, "x"));
    return true;
}

/// Makes "x.shape[0]" an alias of the result of a node that reads a size, so that it is written where the result is
/// read. Returns whether it did.
bool ForwardCode::addSize(const ir::NodeRef &node)
{
    if (m_reshapesInPlace || !m_source.forms.isSize(node) || node.outputCount() != 1)
        return false;
    const auto given = m_source.forms.givenTo(node);
    const auto *tensor = given.size() == 2 ? given[0].value->as<ir::ValueId>() : nullptr;
    if (!tensor || !given[1].value->as<std::int64_t>() || m_reads.isVariable(*tensor) || m_lines.isPending(*tensor))
        return false;
    const Expression of = valueCode(*tensor);
    if (!isIdentifier(of.text))
        return false;
    alias(node->outputs[0], {of.text + ".shape[" + text(*given[1].value) + "]"});
    return true;
}

/// Adds the number that a trace computes by way of tensors. Returns whether the node is a part of such a computation.
bool ForwardCode::addInteger(const ir::NodeRef &node)
{
    if (node.outputCount() != 1)
        return false;
    const ir::ValueId value = node->outputs[0];
    if (m_reads.of(value) == 0 && m_integers.contains(value))
        return true;
    const auto integer = m_integers.read(node);
    if (!integer)
        return false;
    const auto expression = [&] {
        return m_integers.code(*integer, [&](const auto &operand, auto name) { return code(operand, name); });
    };
    const Expression made = expression();
    if (made.isAtom)
        alias(value, made);
    else
        assign(m_names.of(node->outputs), node->outputs, expression);
    return true;
}

void ForwardCode::addMutations()
{
    for (const ir::FunctionOutput &output : m_source.function.outputs) {
        using enum ir::FunctionOutput::Kind;
        if (output.kind != BufferMutation && output.kind != ParameterMutation && output.kind != UserInputMutation)
            continue;
        for (const ir::FunctionInput &input : m_source.function.inputs) {
            const ir::NameId name = input.target == ir::NameId{} ? input.name : input.target;
            if (name == output.target) {
                const std::string target = text(input.value);
                m_lines.add(target + ".copy_(" + text(output.value) + ")");
                break;
            }
        }
    }
}

} // namespace cutaway::print
