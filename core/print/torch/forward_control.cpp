// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Branches, loops, other regions and objects as Python statements.
#include "core/base/text.h"
#include "core/ops/program/control_flow.h"
#include "core/print/module_paths.h"
#include "core/print/python_names.h"
#include "core/print/torch/forward_code.h"

#include <algorithm>
#include <array>
#include <limits>

namespace cutaway::print {

namespace {

std::vector<ir::Operand> itemsOf(const ir::Operand *operand)
{
    const auto *list = operand ? operand->as<ir::List>() : nullptr;
    return list ? list->items : ir::RareList<ir::Operand>();
}

bool isAlwaysTrue(const ir::Operand &operand)
{
    return operand == ir::Operand(true) || operand == ir::Operand(std::int64_t{1});
}

/// The operands of a scan: the initial states, the tensors that it goes over, and the other inputs of each step.
struct ScanOperands {
    std::vector<ir::Operand> initial, sliced, others;
};

/// Nothing where it goes another way than forward over the first dimension.
std::optional<ScanOperands> scanOperandsOf(const ir::NodeRef &node)
{
    if (!node.isOnnx()) {
        // Newer torch lists initial values, slices, others; older has the dimension and the direction between.
        const bool isOld = node->arguments.size() == 5 && node->arguments[2].value == ir::Operand(std::int64_t{0})
            && node->arguments[3].value == ir::Operand(false);
        if (node->arguments.size() != 3 && !isOld)
            return std::nullopt;
        return ScanOperands{itemsOf(&node->arguments[0].value), itemsOf(&node->arguments[1].value),
                            itemsOf(&node->arguments.back().value)};
    }
    const auto *count =
        node.argument("num_scan_inputs") ? node.argument("num_scan_inputs")->as<std::int64_t>() : nullptr;
    const auto inputs = static_cast<std::int64_t>(node.inputCount());
    for (const std::string_view name :
         {"scan_input_axes", "scan_output_axes", "scan_input_directions", "scan_output_directions"})
        if (std::ranges::any_of(itemsOf(node.argument(name)),
                                [](const ir::Operand &item) { return item != ir::Operand(std::int64_t{0}); }))
            return std::nullopt;
    if (!count || *count < 1 || *count > inputs)
        return std::nullopt;
    ScanOperands operands;
    for (std::int64_t i = 0; i < inputs; ++i)
        (i < inputs - *count ? operands.initial : operands.sliced).push_back(*node.input(static_cast<std::size_t>(i)));
    return operands;
}

/// The context manager that an object of TorchScript stands for, "$" being the object.
std::string_view contextOf(std::string_view className)
{
    struct Row {
        std::string_view name, code;
    };
    static constexpr std::array rows{
        Row{"__torch__.torch.autograd.grad_mode.no_grad", "torch.no_grad()"},
        Row{"__torch__.torch.autograd.grad_mode.enable_grad", "torch.enable_grad()"},
        Row{"__torch__.torch.autograd.grad_mode.inference_mode", "torch.inference_mode()"},
        Row{"__torch__.torch.autograd.profiler.record_function", "torch.autograd.profiler.record_function($.name)"},
    };
    const auto row = std::ranges::find(rows, className, &Row::name);
    return row == rows.end() ? "" : row->code;
}

} // namespace

bool ForwardCode::addSpecialNode(const ir::NodeRef &node)
{
    const ops::OperatorKind kind = ops::kindOf(node);
    const StatementForm form = m_source.forms.formOf(node);
    switch (form) {
    case StatementForm::If:
        addIf(node);
        return true;
    case StatementForm::Loop:
        addLoop(node);
        return true;
    case StatementForm::Raise:
        addRaise(node);
        return true;
    case StatementForm::Enter:
    case StatementForm::Exit:
    case StatementForm::GetAttribute:
    case StatementForm::SetAttribute:
    case StatementForm::CallMethod:
    case StatementForm::CallFunction:
        return addObject(node, form);
    default:
        break;
    }
    if (node->regions.empty())
        return false;
    if (kind == ops::kind::loop && node.isOnnx())
        addOnnxLoop(node);
    else if (kind == ops::kind::cond)
        addCond(node);
    else if (kind == ops::kind::whileLoop)
        addWhile(node);
    else if (kind == ops::kind::map)
        addMap(node);
    else if (kind == ops::kind::scan)
        addScan(node);
    else if (kind == ops::kind::fork)
        addFork(node);
    else if (kind == ops::kind::wrapWithSetGrad && !node->arguments.empty())
        addWith(node, "torch.set_grad_enabled(" + text(node->arguments[0].value) + ")", 1);
    else if (kind == ops::kind::wrapWithAutocast && node->arguments.size() >= 4)
        addWith(node,
                "torch.autocast(" + text(node->arguments[0].value) + ", " + text(node->arguments[1].value) + ", "
                    + text(node->arguments[2].value) + ")",
                4);
    else
        return false;
    return true;
}

void ForwardCode::bindRegion(ir::RegionId region, std::span<const ir::Operand> operands)
{
    const std::vector<ir::ValueId> &inputs = m_graph.at(region).inputs;
    for (std::size_t i = 0; i < inputs.size() && i < operands.size(); ++i)
        alias(inputs[i], code(operands[i], "n"));
}

// ---- branches

void ForwardCode::addIf(const ir::NodeRef &node)
{
    const ir::Operand *condition = argumentOf(node, "cond", 0);
    if (!condition || !isBranching(node))
        return fail(node, "it has no two branches");
    const Expression made = m_lines.withPending([&] { return code(*condition, "condition"); }, 4);
    m_lines.open("if " + made.text + ":");
    addBranch(node, node->regions[0]);
    if (node.outputCount() > 0 || !node.region(1).nodes.empty()) {
        m_lines.open("else:");
        addBranch(node, node->regions[1]);
    }
}

void ForwardCode::addBranch(const ir::NodeRef &node, ir::RegionId region)
{
    addNodes(region);
    m_lines.addMoves(m_names.of(node->outputs), texts(m_graph.at(region).outputs));
    m_lines.close();
}

void ForwardCode::addCond(const ir::NodeRef &node)
{
    const bool isBranch = node->regions.size() == 2 && node->arguments.size() == 2
        && std::ranges::all_of(node->regions,
                               [&](ir::RegionId id) { return m_graph.at(id).outputs.size() == node.outputCount(); });
    if (!isBranch)
        return fail(node, "it has no two branches");
    const std::vector<ir::Operand> operands = itemsOf(&node->arguments[1].value);
    bindRegion(node->regions[0], operands);
    bindRegion(node->regions[1], operands);
    const Expression made = m_lines.withPending([&] { return code(node->arguments[0].value, "condition"); }, 4);
    m_lines.open("if " + made.text + ":");
    addBranch(node, node->regions[0]);
    m_lines.open("else:");
    addBranch(node, node->regions[1]);
}

// ---- loops

void ForwardCode::addLoop(const ir::NodeRef &node)
{
    const std::optional<Loop> loop = loopOf(node);
    if (!loop)
        return fail(node, "inputs and results of the loop do not match");
    const ir::Region &body = node.region(0);
    std::vector<std::string> variables = m_names.of(node->outputs);
    for (std::size_t i = 0; i < variables.size(); ++i)
        m_names.set(body.inputs[i + 1], variables[i]);
    m_lines.addMoves(variables, texts(loop->initial));
    std::string condition = "True";
    if (!isAlwaysTrue(loop->condition) || !isAlwaysTrue(body.outputs.front())) {
        condition = m_names.fresh("proceed");
        m_lines.add(condition + " = " + text(loop->condition));
        variables.insert(variables.begin(), condition);
    }
    openLoop(*loop, body, condition);
    addNodes(node->regions[0]);
    const std::vector<std::string> next = texts(body.outputs);
    m_lines.addMoves(variables, condition == "True" ? std::span(next).subspan(1) : std::span(next));
    m_lines.close();
}

void ForwardCode::openLoop(const Loop &loop, const ir::Region &body, const std::string &condition)
{
    const ir::ValueId index = body.inputs.front();
    const bool isCounted = loop.tripCount != ir::Operand(std::numeric_limits<std::int64_t>::max());
    const bool readsIndex = m_reads.of(index) > 0;
    if (!isCounted && !readsIndex)
        return m_lines.open("while " + condition + ":");
    m_lines.open("for " + (readsIndex ? m_names.of(index) : "_") + " in range(" + text(loop.tripCount) + "):");
    if (condition == "True")
        return;
    m_lines.open("if not " + condition + ":");
    m_lines.add("break");
    m_lines.close();
}

/// ONNX's loop: its number of iterations and its condition may be left out, and what it makes beside the values that it
/// hands on is stacked.
void ForwardCode::addOnnxLoop(const ir::NodeRef &node)
{
    const ir::Region &body = node.region(0);
    const ir::Operand *count = node.input(0);
    const ir::Operand *proceed = node.input(1);
    const std::size_t carried = body.inputs.size() - std::min<std::size_t>(2, body.inputs.size());
    if (node.inputCount() != carried + 2 || body.inputs.size() < 2 || node.outputCount() < carried
        || body.outputs.size() != node.outputCount() + 1)
        return fail(node, "inputs and results of the loop do not match");
    const std::vector<std::string> names = m_names.of(node->outputs);
    std::vector<std::string> variables{m_names.fresh("proceed")};
    std::vector<std::string> initial{proceed && !proceed->as<ir::None>() ? text(*proceed) : "True"};
    for (std::size_t i = 0; i < carried; ++i) {
        variables.push_back(names[i]);
        initial.push_back(text(*node.input(i + 2)));
        m_reads.addVariable(node->outputs[i]);
        m_reads.addVariable(body.inputs[i + 2]);
        alias(body.inputs[i + 2], {names[i]});
    }
    m_lines.addMoves(variables, initial);
    std::vector<std::string> lists;
    for (const std::string &name : std::span(names).subspan(carried))
        m_lines.add(lists.emplace_back(m_names.fresh(name + "_items")) + " = []");
    const std::string index = m_names.fresh("i");
    alias(body.inputs[0], {"torch.tensor(" + index + ")", true, 1});
    alias(body.inputs[1], {variables[0]});
    const bool isCounted = count && !count->as<ir::None>();
    m_lines.open("for " + index + " in range(" + (isCounted ? "int(" + text(*count) + ")" : "1 << 62") + "):");
    m_lines.open("if not " + variables[0] + ":");
    m_lines.add("break");
    m_lines.close();
    addNodes(node->regions[0]);
    const std::vector<std::string> next = texts(body.outputs);
    for (std::size_t i = 0; i < lists.size(); ++i)
        m_lines.add(lists[i] + ".append(" + next[carried + 1 + i] + ")");
    m_lines.addMoves(variables, std::span(next).first(carried + 1));
    m_lines.close();
    for (std::size_t i = 0; i < lists.size(); ++i)
        m_lines.add(names[carried + i] + " = torch.stack(" + lists[i] + ")");
}

void ForwardCode::addWhile(const ir::NodeRef &node)
{
    const bool isWhile = node->regions.size() == 2 && !node->arguments.empty();
    std::vector<ir::Operand> initial = isWhile ? itemsOf(&node->arguments[0].value) : std::vector<ir::Operand>();
    if (!isWhile || initial.size() != node.outputCount() || node.region(0).outputs.size() != 1
        || node.region(1).outputs.size() != initial.size())
        return fail(node, "inputs and results of the loop do not match");
    const std::vector<std::string> variables = m_names.of(node->outputs);
    m_lines.addMoves(variables, texts(initial));
    for (const ir::ValueId output : node->outputs)
        m_reads.addVariable(output);
    std::vector<ir::Operand> operands(node->outputs.begin(), node->outputs.end());
    if (node->arguments.size() > 1)
        std::ranges::copy(itemsOf(&node->arguments[1].value), std::back_inserter(operands));
    for (const ir::RegionId region : node->regions) {
        bindRegion(region, operands);
        for (std::size_t i = 0; i < initial.size() && i < m_graph.at(region).inputs.size(); ++i)
            m_reads.addVariable(m_graph.at(region).inputs[i]);
    }
    m_lines.open("while True:");
    addNodes(node->regions[0]);
    const ir::Operand condition = node.region(0).outputs.front();
    const Expression made = m_lines.withPending([&] { return code(condition, "condition"); }, sizeof "if not ():");
    m_lines.open("if not " + (made.isAtom ? made.text : "(" + made.text + ")") + ":");
    m_lines.add("break");
    m_lines.close();
    addNodes(node->regions[1]);
    m_lines.addMoves(variables, texts(node.region(1).outputs));
    m_lines.close();
}

/// One step for each slice of the first operands; the results of the steps are stacked.
void ForwardCode::addMap(const ir::NodeRef &node)
{
    const bool isMap = node->regions.size() == 1 && node->arguments.size() == 2;
    const std::vector<ir::Operand> mapped = isMap ? itemsOf(&node->arguments[0].value) : std::vector<ir::Operand>();
    if (mapped.empty() || node.region(0).outputs.size() != node.outputCount())
        return fail(node, "its operands and results do not match");
    const ir::Region &body = node.region(0);
    std::vector<std::string> lists;
    for (const std::string &name : m_names.of(node->outputs))
        m_lines.add(lists.emplace_back(m_names.fresh(name + "_items")) + " = []");
    std::vector<std::string> items;
    for (std::size_t i = 0; i < mapped.size(); ++i)
        items.push_back(m_names.of(body.inputs[i]));
    const std::vector<ir::Operand> others = itemsOf(&node->arguments[1].value);
    for (std::size_t i = 0; i < others.size() && mapped.size() + i < body.inputs.size(); ++i)
        alias(body.inputs[mapped.size() + i], code(others[i], "n"));
    const std::string source = joined(texts(mapped), ", ");
    m_lines.open("for " + joined(items, ", ") + " in " + (mapped.size() == 1 ? source : "zip(" + source + ")") + ":");
    addNodes(node->regions[0]);
    for (std::size_t i = 0; i < lists.size(); ++i)
        m_lines.add(lists[i] + ".append(" + text(body.outputs[i]) + ")");
    m_lines.close();
    for (std::size_t i = 0; i < lists.size(); ++i)
        m_lines.add(m_names.of(node->outputs[i]) + " = torch.stack(" + lists[i] + ")");
}

/// A loop over slices that hands values on; what it makes beside these is stacked.
void ForwardCode::addScan(const ir::NodeRef &node)
{
    const auto operands = scanOperandsOf(node);
    if (!operands || node->regions.size() != 1)
        return fail(node, "it goes another way than forward over the first dimension");
    const auto &[initial, sliced, others] = *operands;
    const ir::Region &body = node.region(0);
    if (sliced.empty() || body.inputs.size() != initial.size() + sliced.size() + others.size()
        || body.outputs.size() != node.outputCount() || body.outputs.size() < initial.size())
        return fail(node, "its operands and results do not match");
    const std::vector<std::string> names = m_names.of(node->outputs);
    const std::span carried(names.data(), initial.size());
    m_lines.addMoves(carried, texts(initial));
    std::vector<std::string> lists;
    for (const std::string &name : std::span(names).subspan(initial.size()))
        m_lines.add(lists.emplace_back(m_names.fresh(name + "_items")) + " = []");
    std::vector<std::string> items;
    for (std::size_t i = 0; i < body.inputs.size(); ++i) {
        const bool isCarried = i < initial.size();
        m_reads.addVariable(body.inputs[i]);
        if (isCarried)
            alias(body.inputs[i], {names[i]});
        else if (i < initial.size() + sliced.size())
            items.push_back(m_names.of(body.inputs[i]));
        else
            alias(body.inputs[i], code(others[i - initial.size() - sliced.size()], "n"));
    }
    const std::string source = joined(texts(sliced), ", ");
    m_lines.open("for " + joined(items, ", ") + " in " + (items.size() == 1 ? source : "zip(" + source + ")") + ":");
    addNodes(node->regions[0]);
    const std::vector<std::string> made = texts(body.outputs);
    for (std::size_t i = 0; i < lists.size(); ++i)
        m_lines.add(lists[i] + ".append(" + made[initial.size() + i] + ")");
    m_lines.addMoves(carried, std::span(made).first(initial.size()));
    m_lines.close();
    for (std::size_t i = 0; i < lists.size(); ++i)
        m_lines.add(names[initial.size() + i] + " = torch.stack(" + lists[i] + ")");
}

// ---- other regions

void ForwardCode::addWith(const ir::NodeRef &node, const std::string &context, std::size_t firstOperand)
{
    std::vector<ir::Operand> operands;
    for (std::size_t i = firstOperand; i < node->arguments.size(); ++i)
        operands.push_back(node->arguments[i].value);
    const ir::Region &body = node.region(0);
    if (node->regions.size() != 1 || body.outputs.size() != node.outputCount() || body.inputs.size() > operands.size())
        return fail(node, "its operands and results do not match");
    bindRegion(node->regions[0], operands);
    m_lines.open("with " + context + ":");
    addNodes(node->regions[0]);
    m_lines.addMoves(m_names.of(node->outputs), texts(body.outputs));
    m_lines.close();
}

/// Runs the body of a fork at once.
void ForwardCode::addFork(const ir::NodeRef &node)
{
    if (node->regions.size() != 1 || node.outputCount() != 1)
        return fail(node, "it has no region");
    addNodes(node->regions[0]);
    const std::vector<std::string> results = texts(node.region(0).outputs);
    m_lines.add(m_names.of(node->outputs[0]) + " = " + (results.empty() ? "None" : joined(results, ", ")));
}

void ForwardCode::addRaise(const ir::NodeRef &node)
{
    const ir::Operand *message = argumentOf(node, "msg", 0);
    const ir::Operand *type = argumentOf(node, "cls", 1);
    const auto *className = type ? type->as<ir::String>() : nullptr;
    std::string_view name = className ? m_graph.context().text(className->text) : std::string_view();
    static constexpr std::string_view builtin = "builtins.";
    name = name.starts_with(builtin) && isIdentifier(name.substr(builtin.size())) ? name.substr(builtin.size())
                                                                                  : "RuntimeError";
    const Expression made = m_lines.withPending([&] { return message ? code(*message, "message") : Expression(); },
                                                sizeof "raise ()" + name.size());
    m_lines.add("raise " + std::string(name) + "(" + made.text + ")");
}

// ---- objects

/// Tensors of modules stand where they are read, or, where the function sets them, are fetched in their turn.
bool ForwardCode::addModuleAttribute(const ir::NodeRef &node, StatementForm form, const std::string &name)
{
    if (form == StatementForm::GetAttribute && node.outputCount() == 1) {
        const auto tensor = m_source.paths.tensorOf(node->outputs[0]);
        if (tensor && m_setAttributes.contains(name)) {
            const std::string fetched = tensorCode(*tensor).text;
            m_lines.add(m_names.of(node->outputs[0]) + " = " + fetched);
            alias(node->outputs[0], {m_names.of(node->outputs[0])});
        }
        const auto *type = std::get_if<ir::ClassType>(&node.output(0).type());
        return tensor || m_reads.of(node->outputs[0]) == 0 || (type && type->kind == ir::ClassType::Kind::Module);
    }
    const auto object = ir::valueOf(m_graph, argumentOf(node, "self", 0));
    const auto fetcher = object ? object->producer() : std::nullopt;
    const std::string of = fetcher ? m_source.objects.of(*fetcher).value_or("?") + "." : "";
    const ir::Operand *value = argumentOf(node, "value", 2);
    if (form != StatementForm::SetAttribute || !value)
        return false;
    const bool isTensor = std::ranges::any_of(
        m_source.paths.tensors(), [&](ir::TensorId tensor) { return m_source.paths.of(tensor) == of + name; });
    if (isTensor)
        m_lines.add(m_source.tree.access("", of + name) + " = " + text(*value));
    return isTensor;
}

bool ForwardCode::addObject(const ir::NodeRef &node, StatementForm form)
{
    const ir::Operand *object = argumentOf(node, "self", 0);
    const ir::Operand *nameOperand = argumentOf(node, "name", 1);
    const auto *string = nameOperand ? nameOperand->as<ir::String>() : nullptr;
    const std::string name(string ? m_graph.context().text(string->text) : "");
    const auto value = ir::valueOf(m_graph, object);
    const auto *type = value ? std::get_if<ir::ClassType>(&value->type()) : nullptr;
    const bool isModule = !type || type->kind != ir::ClassType::Kind::Object;
    if (isModule && addModuleAttribute(node, form, name))
        return true;
    if (form == StatementForm::CallMethod || form == StatementForm::CallFunction || isModule) {
        fail(node, "objects of the file's own classes have no code here: " + node.fullName());
    } else if (form == StatementForm::GetAttribute && isIdentifier(name)) {
        m_lines.add(m_names.of(node->outputs[0]) + " = " + text(*object) + "." + name);
    } else if (form == StatementForm::SetAttribute && isIdentifier(name)) {
        const ir::Operand *given = argumentOf(node, "value", 2);
        m_lines.add(text(*object) + "." + name + " = " + (given ? text(*given) : "None"));
    } else if (form == StatementForm::Enter || form == StatementForm::Exit) {
        std::string context(contextOf(m_graph.context().text(type->name)));
        if (context.empty()) {
            fail(node, "a with statement of an object that is not known");
        } else if (form == StatementForm::Exit) {
            m_lines.close();
        } else {
            if (const std::size_t at = context.find('$'); at != context.npos)
                context.replace(at, 1, text(*object));
            m_lines.open("with " + context + ":");
            for (const ir::ValueId output : node->outputs)
                alias(output, {"None"});
        }
    } else {
        fail(node, "an attribute whose name is not known");
    }
    return true;
}

} // namespace cutaway::print
