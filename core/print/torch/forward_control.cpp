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

namespace cutaway::print {

namespace {

std::vector<ir::Operand> itemsOf(const ir::Operand *operand)
{
    const auto *list = operand ? operand->as<ir::List>() : nullptr;
    return list ? list->items : ir::RareList<ir::Operand>();
}

/// The operands of a scan or map: the initial states, the tensors that it goes over, and the other inputs of each step.
struct ScanOperands {
    std::vector<ir::Operand> initial, sliced, others;
};

/// Returns the operands of ONNX's Scan, which has the number of its sliced inputs as an attribute; nothing if it goes
/// backward or over another dimension than the first one.
std::optional<ScanOperands> onnxScanOperands(const ir::NodeRef &node)
{
    const auto isOther = [](const ir::Operand &item) { return item != ir::Operand(std::int64_t{0}); };
    for (const std::string_view name :
         {"scan_input_axes", "scan_output_axes", "scan_input_directions", "scan_output_directions"})
        if (std::ranges::any_of(itemsOf(node.argument(name)), isOther))
            return std::nullopt;
    const ir::Operand *given = node.argument("num_scan_inputs");
    const auto *count = given ? given->as<std::int64_t>() : nullptr;
    const auto inputs = static_cast<std::int64_t>(node.inputCount());
    if (!count || *count < 1 || *count > inputs)
        return std::nullopt;
    ScanOperands operands;
    for (std::int64_t i = 0; i < inputs; ++i)
        (i < inputs - *count ? operands.initial : operands.sliced).push_back(*node.input(static_cast<std::size_t>(i)));
    return operands;
}

/// Returns the operands of a scan or map; nothing for a scan backward, or over another dimension than the first one.
std::optional<ScanOperands> scanOperandsOf(const ir::NodeRef &node)
{
    const auto &given = node->arguments;
    if (ops::kindOf(node) == ops::kind::map)
        return given.size() == 2 ? ScanOperands{{}, itemsOf(&given[0].value), itemsOf(&given[1].value)}
                                 : ScanOperands();
    if (node.isOnnx())
        return onnxScanOperands(node);
    // The arguments of torch's scan are lists: the initial values, the tensors to slice and the other inputs. Older
    // versions of torch have the dimension and the direction before the other inputs.
    const bool isOld =
        given.size() == 5 && given[2].value == ir::Operand(std::int64_t{0}) && given[3].value == ir::Operand(false);
    if (given.size() != 3 && !isOld)
        return std::nullopt;
    return ScanOperands{itemsOf(&given[0].value), itemsOf(&given[1].value), itemsOf(&given.back().value)};
}

/// Returns the context manager for an object of TorchScript, by the name of its class; "$" stands for the object.
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

/// Adds an empty list for each of `values`, which iterations append to and which is stacked in the end. Returns the
/// names of the lists.
std::vector<std::string> addLists(StatementLines &lines, ValueNames &names, std::span<const std::string> values)
{
    std::vector<std::string> lists;
    for (const std::string &value : values)
        lines.add(lists.emplace_back(names.fresh(value + "_items")) + " = []");
    return lists;
}

void addAppends(StatementLines &lines, std::span<const std::string> lists, std::span<const std::string> items)
{
    for (std::size_t i = 0; i < lists.size(); ++i)
        lines.add(lists[i] + ".append(" + items[i] + ")");
}

void addStacks(StatementLines &lines, std::span<const std::string> values, std::span<const std::string> lists)
{
    for (std::size_t i = 0; i < lists.size(); ++i)
        lines.add(values[i] + " = torch.stack(" + lists[i] + ")");
}

} // namespace

bool ForwardCode::addSpecialNode(const ir::NodeRef &node)
{
    using Add = void (ForwardCode::*)(const ir::NodeRef &node);
    static const std::pair<StatementForm, Add> forms[] = {
        {StatementForm::If, &ForwardCode::addIf},
        {StatementForm::Loop, &ForwardCode::addLoop},
        {StatementForm::Raise, &ForwardCode::addRaise},
        {StatementForm::Enter, &ForwardCode::addObject},
        {StatementForm::Exit, &ForwardCode::addObject},
        {StatementForm::GetAttribute, &ForwardCode::addObject},
        {StatementForm::SetAttribute, &ForwardCode::addObject},
        {StatementForm::CallMethod, &ForwardCode::addObject},
        {StatementForm::CallFunction, &ForwardCode::addObject},
    };
    static const std::pair<ops::OperatorKind, Add> regions[] = {
        {ops::kind::loop, &ForwardCode::addOnnxLoop},
        {ops::kind::cond, &ForwardCode::addCond},
        {ops::kind::whileLoop, &ForwardCode::addWhile},
        {ops::kind::map, &ForwardCode::addScan},
        {ops::kind::scan, &ForwardCode::addScan},
        {ops::kind::fork, &ForwardCode::addFork},
        {ops::kind::wrapWithSetGrad, &ForwardCode::addWith},
        {ops::kind::wrapWithAutocast, &ForwardCode::addWith},
    };
    const auto addBy = [&](const auto &rows, const auto &key) {
        const auto row = std::ranges::find(rows, key, [](const auto &each) { return each.first; });
        if (row == std::end(rows))
            return false;
        (this->*row->second)(node);
        return true;
    };
    return addBy(forms, m_source.forms.formOf(node)) || (!node->regions.empty() && addBy(regions, ops::kindOf(node)));
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
    if (!isTrue(loop->condition) || !isTrue(body.outputs.front())) {
        condition = m_names.fresh("proceed");
        m_lines.add(condition + " = " + text(loop->condition));
        variables.insert(variables.begin(), condition);
    }
    const ir::ValueId index = body.inputs.front();
    openLoop(m_lines, *loop, m_reads.of(index) > 0 ? m_names.of(index) : "", text(loop->tripCount), condition);
    addNodes(node->regions[0]);
    const std::vector<std::string> next = texts(body.outputs);
    m_lines.addMoves(variables, condition == "True" ? std::span(next).subspan(1) : std::span(next));
    m_lines.close();
}

/// Adds ONNX's loop. Its trip count and condition may be missing. Results that are no loop variables are stacked.
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
    const auto stacked = std::span(names).subspan(carried);
    const std::vector<std::string> lists = addLists(m_lines, m_names, stacked);
    const std::string index = m_names.fresh("i");
    alias(body.inputs[0], {"torch.tensor(" + index + ")", true, 1});
    alias(body.inputs[1], {variables[0]});
    const bool isCounted = count && !count->as<ir::None>();
    m_lines.open("for " + index + " in range(" + (isCounted ? "int(" + text(*count) + ")" : "1 << 62") + "):");
    addBreakUnless(m_lines, variables[0]);
    addNodes(node->regions[0]);
    const std::vector<std::string> next = texts(body.outputs);
    addAppends(m_lines, lists, std::span(next).subspan(carried + 1));
    m_lines.addMoves(variables, std::span(next).first(carried + 1));
    m_lines.close();
    addStacks(m_lines, stacked, lists);
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
    addBreakUnless(m_lines, made.isAtom ? made.text : "(" + made.text + ")");
    addNodes(node->regions[1]);
    m_lines.addMoves(variables, texts(node.region(1).outputs));
    m_lines.close();
}

/// Adds a loop over slices of tensors. It may have loop variables; its other results are stacked.
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
    const auto stacked = std::span(names).subspan(initial.size());
    const std::vector<std::string> lists = addLists(m_lines, m_names, stacked);
    std::vector<std::string> items;
    for (std::size_t i = 0; i < body.inputs.size(); ++i) {
        const bool isCarried = i < initial.size();
        if (!initial.empty())
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
    addAppends(m_lines, lists, std::span(made).subspan(initial.size()));
    m_lines.addMoves(carried, std::span(made).first(initial.size()));
    m_lines.close();
    addStacks(m_lines, stacked, lists);
}

// ---- other regions

void ForwardCode::addWith(const ir::NodeRef &node)
{
    const bool isAutocast = ops::kindOf(node) == ops::kind::wrapWithAutocast;
    // The operands of the body follow the settings. Those of autocast are the device, the dtype, whether it is enabled,
    // and the cache flag.
    const std::size_t firstOperand = isAutocast ? 4 : 1;
    if (node->arguments.size() < firstOperand)
        return fail(node, "its operands and results do not match");
    std::vector<ir::Operand> settings, operands;
    for (std::size_t i = 0; i < node->arguments.size(); ++i)
        (i < firstOperand ? settings : operands).push_back(node->arguments[i].value);
    settings.resize(isAutocast ? 3 : 1);
    const ir::Region &body = node.region(0);
    if (node->regions.size() != 1 || body.outputs.size() != node.outputCount() || body.inputs.size() > operands.size())
        return fail(node, "its operands and results do not match");
    bindRegion(node->regions[0], operands);
    m_lines.open(std::string(isAutocast ? "with torch.autocast(" : "with torch.set_grad_enabled(")
                 + joined(texts(settings), ", ") + "):");
    addNodes(node->regions[0]);
    m_lines.addMoves(m_names.of(node->outputs), texts(body.outputs));
    m_lines.close();
}

/// Adds the statements of a fork's body in place of the fork.
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

/// Adds a node that reads or sets an attribute of a module. Tensors of modules are printed where they are read, but
/// those that the function sets are fetched at this point.
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

void ForwardCode::addObject(const ir::NodeRef &node)
{
    const StatementForm form = m_source.forms.formOf(node);
    const ir::Operand *object = argumentOf(node, "self", 0);
    const ir::Operand *nameOperand = argumentOf(node, "name", 1);
    const auto *string = nameOperand ? nameOperand->as<ir::String>() : nullptr;
    const std::string name(string ? m_graph.context().text(string->text) : "");
    const auto value = ir::valueOf(m_graph, object);
    const auto *type = value ? std::get_if<ir::ClassType>(&value->type()) : nullptr;
    const bool isModule = !type || type->kind != ir::ClassType::Kind::Object;
    if (isModule && addModuleAttribute(node, form, name))
        return;
    if (form == StatementForm::CallMethod || form == StatementForm::CallFunction || isModule)
        return fail(node, "objects of the file's own classes have no code here: " + node.fullName());
    if (form == StatementForm::Enter || form == StatementForm::Exit)
        return addContext(node, form, m_graph.context().text(type->name));
    if (!isIdentifier(name))
        return fail(node, "an attribute whose name is not known");
    if (form == StatementForm::GetAttribute)
        return m_lines.add(m_names.of(node->outputs[0]) + " = " + text(*object) + "." + name);
    const ir::Operand *given = argumentOf(node, "value", 2);
    m_lines.add(text(*object) + "." + name + " = " + (given ? text(*given) : "None"));
}

/// Begins or ends a with statement of an object of this class.
void ForwardCode::addContext(const ir::NodeRef &node, StatementForm form, std::string_view className)
{
    std::string context(contextOf(className));
    if (context.empty())
        return fail(node, "a with statement of an object that is not known");
    if (form == StatementForm::Exit)
        return m_lines.close();
    if (const std::size_t at = context.find('$'); at != context.npos)
        context.replace(at, 1, text(*argumentOf(node, "self", 0)));
    m_lines.open("with " + context + ":");
    for (const ir::ValueId output : node->outputs)
        alias(output, {"None"});
}

} // namespace cutaway::print
