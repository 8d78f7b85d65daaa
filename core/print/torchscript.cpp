// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/torchscript.h"

#include "core/base/text.h"
#include "core/print/call_text.h"
#include "core/print/code_lines.h"
#include "core/print/code_signature.h"
#include "core/print/control_flow.h"
#include "core/print/scope_headings.h"

#include <algorithm>
#include <span>
#include <unordered_set>

namespace cutaway::print {

namespace {

constexpr int maxWithDepth = 20; ///< limit of nested `with` blocks; deeper ones would make the lines too long
constexpr std::size_t maxAttributeLength = 200; ///< a longer chain of attributes gets a line of its own
constexpr std::size_t maxSignatureLength = 100;

class Code {
public:
    Code(const ir::Model &model, const ir::Function &function)
        : m_function(function),
          m_graph(function.graph),
          m_names(model, function),
          m_operands(
              model, [this](ir::ValueId id) { return m_names.of(id); },
              [this](ir::TensorId id) { return m_names.of(id); }),
          m_calls(model, m_operands),
          m_signature(function, m_names, m_operands),
          m_spellings(model),
          m_headings(m_graph),
          m_lines(m_headings.of({}))
    {
        collectSetAttributes();
    }

    std::string print()
    {
        const std::string_view name = text(m_function.name);
        if (!isIdentifier(name))
            m_lines.add("# " + sanitized(name));
        const std::size_t last = name.find_last_of(".:");
        addSignature(identifierFrom(last == name.npos ? name : name.substr(last + 1)));
        addNodes(ir::Graph::body);
        m_lines.keepHeading();
        addMutations();
        addReturn(m_signature.userOutputs());
        m_lines.close();
        return m_lines.take();
    }

private:
    std::string_view text(ir::NameId id) const { return m_graph.context().text(id); }

    std::optional<std::string> textOf(const ir::Operand *operand) const
    {
        const auto *string = operand ? operand->as<ir::String>() : nullptr;
        return string ? std::optional(std::string(text(string->text))) : std::nullopt;
    }

    template <class Ids>
    std::vector<std::string> namesOf(const Ids &values) const
    {
        std::vector<std::string> names;
        for (const ir::ValueId value : values)
            names.push_back(m_names.of(value));
        return names;
    }

    std::vector<std::string> printed(std::span<const ir::Operand> operands) const
    {
        std::vector<std::string> texts;
        for (const ir::Operand &operand : operands)
            texts.push_back(m_operands.print(operand));
        return texts;
    }

    // ---- the signature

    void addSignature(const std::string &name)
    {
        const std::vector<std::string> list = m_signature.parameters();
        const std::string end = ")" + m_signature.results(m_signature.userOutputs()) + ":";
        const std::string line = "def " + name + "(" + joined(list, ", ") + end;
        if (line.size() <= maxSignatureLength)
            return m_lines.open(line);
        m_lines.add("def " + name + "(");
        for (std::size_t i = 0; i < list.size(); ++i)
            m_lines.add("    " + list[i] + (i + 1 < list.size() ? "," : end));
        m_lines.begin();
    }

    // ---- mutations and results

    void addReturn(const std::vector<ir::Operand> &outputs)
    {
        if (!outputs.empty())
            m_lines.add("return " + m_operands.joined(outputs));
    }

    /// Adds the writes to buffers and inputs that an exported program does after all computation.
    void addMutations()
    {
        for (const ir::FunctionOutput &output : m_function.outputs) {
            if (!isMutation(output.kind))
                continue;
            const std::string target = m_names.ofTarget(output.target);
            m_lines.add(target + ".copy_(" + m_operands.print(output.value) + ")");
        }
    }

    // ---- statements

    void addNodes(ir::RegionId region)
    {
        pairEntersWithExits(region);
        for (const ir::NodeRef node : ir::nodesOf(m_graph, region)) {
            m_lines.setHeading(m_headings.of(node->scope));
            const OperatorSpelling &spelling = m_spellings.of(node->op);
            if (!addSpecialForm(node, spelling))
                addCall(node, spelling);
        }
    }

    /// Adds the node in a form that is not a call, if it has the arguments for that form. Returns whether it did.
    bool addSpecialForm(const ir::NodeRef &node, const OperatorSpelling &spelling)
    {
        switch (spelling.form) {
        case StatementForm::Call:
            return addPattern(node, spelling);
        case StatementForm::Effect:
            return std::ranges::all_of(node.outputs(), [](const ir::ValueRef &out) { return out->uses.empty(); })
                && (m_lines.add(m_calls.pattern(node, spelling)), true);
        case StatementForm::If:
            return addIf(node);
        case StatementForm::Loop:
            return addLoop(node);
        case StatementForm::Closure:
            return false;
        case StatementForm::Enter:
            return addEnter(node);
        case StatementForm::Exit:
            return addExit(node);
        case StatementForm::Raise:
            return addRaise(node);
        case StatementForm::GetAttribute:
            return addGetAttribute(node);
        case StatementForm::SetAttribute:
            return addSetAttribute(node);
        case StatementForm::CallMethod:
            return addCallMethod(node);
        case StatementForm::CallFunction:
            return addCallFunction(node);
        }
        return false;
    }

    bool addPattern(const ir::NodeRef &node, const OperatorSpelling &spelling)
    {
        if (spelling.pattern.empty() || !node->regions.empty())
            return false;
        assign(node, m_calls.pattern(node, spelling), spelling.unpacks);
        return true;
    }

    void addCall(const ir::NodeRef &node, const OperatorSpelling &spelling)
    {
        std::vector<std::string> closures;
        for (const ir::RegionId region : node->regions)
            closures.push_back(addClosure(region));
        assign(node, m_calls.call(node, spelling, closures));
    }

    void assign(const ir::NodeRef &node, const std::string &expression, bool unpacks = false)
    {
        std::vector<std::string> targets;
        for (const ir::ValueRef output : node.outputs())
            targets.push_back(isDropped(output) ? "_" : m_names.of(output));
        const bool isUnread = std::ranges::all_of(targets, [](const std::string &name) { return name == "_"; });
        const std::string comma = unpacks && targets.size() == 1 ? "," : "";
        m_lines.add(isUnread ? expression : joined(targets, ", ") + comma + " = " + expression);
    }

    /// Whether a node's result is unused and has only a name made from the operator's.
    static bool isDropped(const ir::ValueRef &result)
    {
        const std::string_view name = result.name();
        return result->uses.empty()
            && (name.empty() || name.starts_with('_') || name.starts_with(result.producer()->opName()));
    }

    /// Adds a nested function and returns its name.
    std::string addClosure(ir::RegionId id)
    {
        const ir::Region &region = m_graph.at(id);
        const std::string name = m_names.of(id).empty() ? m_names.fresh("closure") : m_names.of(id);
        std::vector<std::string> list;
        for (const ir::ValueId input : region.inputs)
            list.push_back(m_signature.declared(input));
        m_lines.open("def " + name + "(" + joined(list, ", ") + ")" + m_signature.results(region.outputs) + ":");
        addNodes(id);
        m_lines.keepHeading();
        addReturn(region.outputs);
        m_lines.close();
        return name;
    }

    // ---- control flow

    bool addIf(const ir::NodeRef &node)
    {
        const ir::Operand *condition = argumentOf(node, "cond", 0);
        if (!condition || !isBranching(node))
            return false;
        m_lines.open("if " + m_operands.print(*condition) + ":");
        addBranch(node, node->regions[0]);
        if (node.outputCount() > 0 || !node.region(1).nodes.empty()) {
            m_lines.open("else:");
            addBranch(node, node->regions[1]);
        }
        return true;
    }

    void addBranch(const ir::NodeRef &node, ir::RegionId region)
    {
        addNodes(region);
        m_lines.keepHeading();
        m_lines.addMoves(namesOf(node->outputs), printed(m_graph.at(region).outputs));
        m_lines.close();
    }

    bool addLoop(const ir::NodeRef &node)
    {
        const std::optional<Loop> loop = loopOf(node);
        if (!loop)
            return false;
        const ir::Region &body = node.region(0);
        std::vector<std::string> variables = namesOf(node->outputs);
        std::vector<std::string> next = printed({body.outputs.begin() + 1, body.outputs.end()});
        m_lines.addMoves(variables, printed(loop->initial));
        std::string condition = "True";
        if (!isTrue(loop->condition) || !isTrue(body.outputs.front())) {
            condition = m_names.fresh("proceed");
            m_lines.add(condition + " = " + m_operands.print(loop->condition));
            variables.insert(variables.begin(), condition);
            next.clear();
        }
        const ir::ValueId index = body.inputs.front();
        openLoop(m_lines, *loop, m_graph.at(index).uses.empty() ? "" : m_names.of(index),
                 m_operands.print(loop->tripCount), condition);
        addNodes(node->regions[0]);
        m_lines.keepHeading();
        m_lines.addMoves(variables, next.size() == variables.size() ? next : printed(body.outputs));
        m_lines.close();
        return true;
    }

    bool addRaise(const ir::NodeRef &node)
    {
        const ir::Operand *message = argumentOf(node, "msg", 0);
        if (!message || node.outputCount() > 0)
            return false;
        const std::string type = textOf(argumentOf(node, "cls", 1)).value_or("Exception");
        const std::string name = type.substr(type.starts_with("builtins.") ? 9 : 0);
        m_lines.add("raise " + dottedName(name) + "(" + m_operands.print(*message) + ")");
        return true;
    }

    // ---- with blocks

    void pairEntersWithExits(ir::RegionId region)
    {
        std::vector<std::pair<ir::NodeId, const ir::Operand *>> open;
        for (const ir::NodeRef node : ir::nodesOf(m_graph, region)) {
            const StatementForm form = m_spellings.of(node->op).form;
            const ir::Operand *object = argumentOf(node, "self", 0);
            if (form == StatementForm::Enter && object) {
                open.emplace_back(node, object);
            } else if (form == StatementForm::Exit && object && !open.empty() && *open.back().second == *object) {
                m_exits.emplace(open.back().first, node);
                open.pop_back();
            }
        }
    }

    bool addEnter(const ir::NodeRef &node)
    {
        const ir::Operand *object = argumentOf(node, "self", 0);
        if (!object || node.outputCount() > 1)
            return false;
        const auto exit = m_exits.find(node);
        if (exit == m_exits.end() || m_openExits.size() >= maxWithDepth) {
            assign(node, m_operands.print(*object) + ".__enter__()");
            return true;
        }
        const bool isRead = node.outputCount() == 1 && !isDropped(node.output(0));
        const std::string target = isRead ? " as " + m_names.of(node.output(0)) : "";
        m_lines.open("with " + m_operands.print(*object) + target + ":");
        m_openExits.push_back(exit->second);
        return true;
    }

    bool addExit(const ir::NodeRef &node)
    {
        const ir::Operand *object = argumentOf(node, "self", 0);
        if (!object)
            return false;
        if (m_openExits.empty() || m_openExits.back() != node) {
            assign(node, m_operands.print(*object) + ".__exit__()");
            return true;
        }
        m_openExits.pop_back();
        m_lines.close();
        return true;
    }

    // ---- objects

    void collectSetAttributes()
    {
        for (std::uint32_t i = 0; i < m_graph.nodeCount(); ++i) {
            const ir::NodeRef node(m_graph, {i});
            if (!node->removed && m_spellings.of(node->op).form == StatementForm::SetAttribute)
                if (auto name = textOf(argumentOf(node, "name", 1)))
                    m_setAttributes.insert(*std::move(name));
        }
    }

    bool addGetAttribute(const ir::NodeRef &node)
    {
        const ir::Operand *object = argumentOf(node, "self", 0);
        const std::optional<std::string> name = textOf(argumentOf(node, "name", 1));
        if (!object || !name || node.outputCount() != 1)
            return false;
        const std::string expression = attributeOf(m_operands.print(*object), *name);
        if (canStandForIt(node.output(0).type(), *name) && expression.size() <= maxAttributeLength)
            m_names.replace(node.output(0), expression);
        else
            assign(node, expression);
        return true;
    }

    /// Whether an attribute can be printed wherever its value is read. Submodules are never replaced, nor are tensors
    /// that this function does not set.
    bool canStandForIt(const ir::Type &type, const std::string &attribute) const
    {
        const auto *object = std::get_if<ir::ClassType>(&type);
        const bool isModule =
            object && (object->kind == ir::ClassType::Kind::Module || object->kind == ir::ClassType::Kind::Interface);
        return isModule || (std::holds_alternative<ir::TensorType>(type) && !m_setAttributes.contains(attribute));
    }

    bool addSetAttribute(const ir::NodeRef &node)
    {
        const ir::Operand *object = argumentOf(node, "self", 0);
        const std::optional<std::string> name = textOf(argumentOf(node, "name", 1));
        const ir::Operand *value = argumentOf(node, "value", 2);
        if (!object || !name || !value)
            return false;
        const std::string target = m_operands.print(*object);
        const std::string text = m_operands.print(*value);
        m_lines.add(isIdentifier(*name) ? target + "." + *name + " = " + text
                                        : "setattr(" + target + ", " + quote(*name) + ", " + text + ")");
        return true;
    }

    bool addCallMethod(const ir::NodeRef &node)
    {
        static constexpr std::string_view alreadyPrinted[]{"method", "function", "self"};
        const ir::Operand *object = argumentOf(node, "self", 0);
        const std::optional<std::string> method = textOf(argumentOf(node, "method", 1));
        if (!object || !method)
            return false;
        assign(node, attributeOf(m_operands.print(*object), *method) + m_calls.positional(node, alreadyPrinted));
        return true;
    }

    bool addCallFunction(const ir::NodeRef &node)
    {
        static constexpr std::string_view alreadyPrinted[]{"function"};
        const ir::Operand *function = argumentOf(node, "function", 0);
        if (!function)
            return false;
        const std::optional<std::string> name = textOf(function);
        assign(node,
               (name ? dottedName(*name) : m_operands.print(*function)) + m_calls.positional(node, alreadyPrinted));
        return true;
    }

    const ir::Function &m_function;
    const ir::Graph &m_graph;
    TorchScriptNames m_names;
    PythonOperands m_operands;
    CallText m_calls;
    CodeSignature m_signature;
    OperatorSpellings m_spellings;
    ScopeHeadings m_headings;
    CodeLines m_lines;
    std::unordered_set<std::string> m_setAttributes;
    std::unordered_map<ir::NodeId, ir::NodeId> m_exits; ///< by prim::Enter node: its prim::Exit, if there is one
    std::vector<ir::NodeId> m_openExits;
};

} // namespace

std::string torchScriptCode(const ir::Model &model, ir::FunctionId function)
{
    return Code(model, model.at(function)).print();
}

} // namespace cutaway::print
