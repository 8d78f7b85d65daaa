// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/python/printer.h"

#include "core/base/formatted.h"
#include "core/base/overloaded.h"
#include "core/formats/python/string_literal.h"

#include <cmath>

namespace cutaway::formats::python {

namespace {

/// Prints a float with a point, an exponent or a name, so that it is parsed as a float again.
std::string printFloat(double value)
{
    if (std::isnan(value))
        return std::signbit(value) ? "-nan" : "nan";
    const std::string text = formatted("{}", value);
    return text.find_first_of(".einf") == std::string::npos ? text + "." : text;
}

std::string printLiteral(const Literal &literal)
{
    return std::visit(Overloaded{
                          [](NoneLiteral) -> std::string { return "None"; },
                          [](EllipsisLiteral) -> std::string { return "..."; },
                          [](bool b) -> std::string { return b ? "True" : "False"; },
                          [](std::int64_t n) { return std::to_string(n); },
                          [](double x) { return printFloat(x); },
                          [](std::complex<double> z) {
                              const std::string imaginary = printFloat(z.imag());
                              return printFloat(z.real()) + (imaginary.starts_with('-') ? "" : "+") + imaginary + "j";
                          },
                          [](StringLiteral s) { return encodeString(s.bytes); },
                      },
                      literal);
}

/// Appends source to a text. The recursion is only as deep as the tree, whose depth the parser limits.
class Printer {
public:
    Printer(const Tree &tree, std::size_t level) : m_tree(tree), m_level(level) { }

    std::string take() { return std::move(m_text); }
    void print(ExpressionId id) { std::visit(*this, m_tree.at(id).kind); }
    void print(StatementId id)
    {
        indent();
        std::visit(*this, m_tree.at(id).kind);
    }
    void print(FunctionId id);

    void operator()(const Literal &literal) { m_text += printLiteral(literal); }
    void operator()(const Name &name) { m_text += name.text; }
    void operator()(const List &list) { separated("[", list.items, "]"); }
    void operator()(const Tuple &tuple) { separated("(", tuple.items, tuple.items.size() == 1 ? ",)" : ")"); }
    void operator()(const Attribute &attribute)
    {
        if (isIdentifier(attribute.name)) {
            operand(attribute.object);
            m_text.append(".").append(attribute.name);
        } else {
            m_text += "getattr(";
            print(attribute.object);
            m_text += ", " + encodeString(attribute.name) + ")";
        }
    }
    void operator()(const Call &call)
    {
        operand(call.callee);
        m_text += '(';
        for (std::size_t i = 0; i < call.arguments.size(); ++i) {
            const Argument &argument = call.arguments[i];
            m_text.append(i ? ", " : "").append(argument.keyword).append(argument.keyword.empty() ? "" : "=");
            print(argument.value);
        }
        m_text += ')';
    }
    void operator()(const Subscript &subscript)
    {
        operand(subscript.object);
        m_text += '[';
        unbracketed(subscript.index);
        m_text += ']';
    }
    void operator()(const Slice &slice)
    {
        const auto part = [this](const std::optional<ExpressionId> &id) {
            if (id)
                print(*id);
        };
        part(slice.start);
        m_text += ':';
        part(slice.stop);
        m_text += slice.step ? ":" : "";
        part(slice.step);
    }
    void operator()(const Dict &dict)
    {
        m_text += '{';
        for (std::size_t i = 0; i < dict.entries.size(); ++i) {
            m_text += i ? ", " : "";
            print(dict.entries[i].first);
            m_text += ": ";
            print(dict.entries[i].second);
        }
        m_text += '}';
    }
    void operator()(const Unary &unary)
    {
        m_text.append(unary.op).append(unary.op == "not" ? " " : "");
        bracketed(unary.operand, isNumber(unary.operand) || is<Binary>(unary.operand) || is<Choice>(unary.operand));
    }
    void operator()(const Binary &binary)
    {
        term(binary.left);
        m_text.append(" ").append(binary.op).append(" ");
        term(binary.right);
    }
    void operator()(const Choice &choice)
    {
        term(choice.then);
        m_text += " if ";
        term(choice.condition);
        m_text += " else ";
        term(choice.orElse);
    }

    void operator()(const Assign &assign)
    {
        for (const ExpressionId target : assign.targets) {
            const auto *tuple = std::get_if<Tuple>(&m_tree.at(target).kind);
            unbracketed(target);
            m_text += tuple && tuple->endsInComma && tuple->items.size() > 1 ? "," : "";
            if (assign.type) {
                m_text += " : ";
                print(*assign.type);
            }
            m_text += assign.value ? " = " : "";
        }
        if (assign.value && is<Tuple>(assign.targets.front()))
            unbracketed(*assign.value);
        else if (assign.value)
            print(*assign.value);
        m_text += '\n';
    }
    void operator()(const Augment &augment)
    {
        print(augment.target);
        m_text += formatted(" {}= ", augment.op);
        print(augment.value);
        m_text += '\n';
    }
    void operator()(const Evaluate &evaluate)
    {
        print(evaluate.value);
        m_text += '\n';
    }
    void operator()(const If &statement)
    {
        m_text += "if ";
        print(statement.condition);
        block(statement.then);
        indent();
        m_text += "else";
        block(statement.orElse);
    }
    void operator()(const While &statement)
    {
        m_text += "while ";
        print(statement.condition);
        block(statement.body);
    }
    void operator()(const For &statement)
    {
        m_text += formatted("for {} in ", statement.variable);
        print(statement.items);
        block(statement.body);
    }
    void operator()(const With &statement)
    {
        m_text += "with ";
        print(statement.context);
        if (statement.variable)
            m_text += formatted(" as {}", *statement.variable);
        block(statement.body);
    }
    void operator()(const Return &statement)
    {
        m_text += "return";
        if (statement.value) {
            m_text += ' ';
            print(*statement.value);
        }
        m_text += '\n';
    }
    void operator()(const LocalFunction &statement)
    {
        m_text.resize(m_text.size() - 2 * m_level); // removes the indentation, because a function writes its own
        print(statement.function);
    }

private:
    void indent() { m_text.append(2 * m_level, ' '); }
    void block(const Block &block);
    void parameter(const Parameter &parameter);
    template <class Kind>
    bool is(ExpressionId id) const
    {
        return std::holds_alternative<Kind>(m_tree.at(id).kind);
    }
    bool isNumber(ExpressionId id) const
    {
        const auto *literal = std::get_if<Literal>(&m_tree.at(id).kind);
        return literal
            && (std::holds_alternative<std::int64_t>(*literal) || std::holds_alternative<double>(*literal)
                || std::holds_alternative<std::complex<double>>(*literal));
    }
    bool hasOperator(ExpressionId id) const { return is<Unary>(id) || is<Binary>(id) || is<Choice>(id); }
    /// Prints the operand of a `.` or a bracket. A number or an operand with an operator is put into brackets.
    void operand(ExpressionId id) { bracketed(id, hasOperator(id) || isNumber(id)); }
    /// Prints an operand of a binary operator.
    void term(ExpressionId id)
    {
        const bool hasSign = isNumber(id)
            && printLiteral(std::get<Literal>(m_tree.at(id).kind)).find_first_of("+-j") != std::string::npos;
        bracketed(id, hasOperator(id) || hasSign);
    }
    void bracketed(ExpressionId id, bool hasBrackets)
    {
        m_text += hasBrackets ? "(" : "";
        print(id);
        m_text += hasBrackets ? ")" : "";
    }
    /// Prints a tuple without brackets.
    void unbracketed(ExpressionId id)
    {
        const auto *tuple = std::get_if<Tuple>(&m_tree.at(id).kind);
        if (tuple && !tuple->items.empty())
            separated("", tuple->items, tuple->items.size() == 1 ? "," : "");
        else
            print(id);
    }
    void separated(std::string_view open, const std::vector<ExpressionId> &ids, std::string_view close)
    {
        m_text += open;
        for (std::size_t i = 0; i < ids.size(); ++i) {
            m_text += i ? ", " : "";
            print(ids[i]);
        }
        m_text += close;
    }

    const Tree &m_tree;
    std::string m_text;
    std::size_t m_level;
};

void Printer::block(const Block &block)
{
    m_text += ":\n";
    ++m_level;
    for (const StatementId id : block)
        print(id);
    if (block.empty()) {
        indent();
        m_text += "pass\n";
    }
    --m_level;
}

void Printer::parameter(const Parameter &parameter)
{
    m_text.append(static_cast<std::size_t>(parameter.stars), '*').append(parameter.name);
    if (parameter.type) {
        m_text += ": ";
        print(*parameter.type);
    }
    if (parameter.value) {
        m_text += '=';
        print(*parameter.value);
    }
}

void Printer::print(FunctionId id)
{
    const Function &function = m_tree.at(id);
    indent();
    m_text += formatted("def {}(", function.name);
    for (std::size_t i = 0; i < function.parameters.size(); ++i) {
        if (i > 0) {
            m_text += ",\n    ";
            indent();
        }
        parameter(function.parameters[i]);
    }
    m_text += ')';
    if (function.result) {
        m_text += " -> ";
        print(*function.result);
    }
    block(function.body);
}

template <class Id>
std::string printed(const Tree &tree, Id id, std::size_t level = 0)
{
    Printer printer(tree, level);
    printer.print(id);
    return printer.take();
}

} // namespace

std::string print(const Tree &tree, ExpressionId id) { return printed(tree, id); }
std::string print(const Tree &tree, StatementId id) { return printed(tree, id); }
std::string print(const Tree &tree, FunctionId id, std::size_t level) { return printed(tree, id, level); }

} // namespace cutaway::formats::python
