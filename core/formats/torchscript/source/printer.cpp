// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/torchscript/source/printer.h"

#include "core/base/formatted.h"
#include "core/formats/torchscript/source/lexer.h"
#include "core/formats/torchscript/source/string_literal.h"

#include <cmath>

namespace cutaway::formats::torchscript {

namespace {

/// Always with a point, an exponent or a name, so that it reads back as a float.
std::string printFloat(double value)
{
    if (std::isnan(value))
        return std::signbit(value) ? "-nan" : "nan";
    const std::string text = formatted("{}", value);
    return text.find_first_of(".einf") == std::string::npos ? text + "." : text;
}

struct LiteralText {
    std::string operator()(NoneLiteral) const { return "None"; }
    std::string operator()(bool b) const { return b ? "True" : "False"; }
    std::string operator()(std::int64_t n) const { return std::to_string(n); }
    std::string operator()(FloatLiteral x) const { return printFloat(x.value); }
    std::string operator()(StringLiteral s) const { return encodeString(s.bytes); }
    std::string operator()(ComplexLiteral z) const
    {
        const std::string imaginary = printFloat(z.imaginary.value);
        return printFloat(z.real.value) + (imaginary.starts_with('-') ? "" : "+") + imaginary + "j";
    }
};

bool isNumberLiteral(const Expression &expression)
{
    const auto *literal = std::get_if<Literal>(&expression.kind);
    return literal
        && (std::holds_alternative<std::int64_t>(*literal) || std::holds_alternative<FloatLiteral>(*literal)
            || std::holds_alternative<ComplexLiteral>(*literal));
}

/// Appends source to a text. Recursion is as deep as the tree, which the parser limits.
class Printer {
public:
    explicit Printer(const Tree &tree) : m_tree(tree) { }

    std::string take() { return std::move(m_text); }

    void print(TypeId id);
    void print(ExpressionId id) { std::visit(*this, m_tree.at(id).kind); }
    void print(StatementId id)
    {
        indent();
        std::visit(*this, m_tree.at(id).kind);
    }
    void print(FunctionId id);
    void print(ClassId id);

    void operator()(const Literal &literal) { m_text += std::visit(LiteralText{}, literal); }
    void operator()(const Name &name) { m_text += name.text; }
    void operator()(const Attribute &attribute);
    void operator()(const Call &call);
    void operator()(const Subscript &subscript);
    void operator()(const List &list) { separated("[", list.items, "]"); }
    void operator()(const Tuple &tuple) { separated("(", tuple.items, tuple.items.size() == 1 ? ",)" : ")"); }
    void operator()(const Dict &dict);
    void operator()(const Negation &negation);
    void operator()(const Annotate &annotate) { typed("annotate(", annotate.type, annotate.value); }
    void operator()(const UncheckedCast &cast) { typed("unchecked_cast(", cast.type, cast.value); }
    void operator()(const Uninitialized &uninitialized);
    void operator()(const IsInstance &test);

    void operator()(const Assign &assign);
    void operator()(const Unpack &unpack);
    void operator()(const Evaluate &evaluate);
    void operator()(const If &statement);
    void operator()(const While &statement);
    void operator()(const For &statement);
    void operator()(const With &statement);
    void operator()(const Return &statement);
    void operator()(const LocalFunction &statement);

private:
    void indent() { m_text.append(2 * m_level, ' '); }
    void operand(ExpressionId id);
    void typed(std::string_view open, TypeId type, ExpressionId value);
    void block(const Block &block);
    void names(std::string_view key, const std::optional<std::vector<std::string_view>> &names);
    void field(const Field &field, bool isFirst);
    void parameter(const Parameter &parameter);

    template <class Id>
    void separated(std::string_view open, const std::vector<Id> &ids, std::string_view close)
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
    std::size_t m_level = 0;
};

void Printer::print(TypeId id)
{
    const Type &type = m_tree.at(id);
    m_text += type.name;
    if (!type.arguments.empty())
        separated("[", type.arguments, "]");
    else if (type.name == "Tuple")
        m_text += "[()]";
}

/// Prints the operand of a `.`, a bracket or a minus; in brackets where a sign would otherwise change the meaning.
void Printer::operand(ExpressionId id)
{
    const Expression &expression = m_tree.at(id);
    const bool needsBrackets = std::holds_alternative<Negation>(expression.kind) || isNumberLiteral(expression);
    m_text += needsBrackets ? "(" : "";
    print(id);
    m_text += needsBrackets ? ")" : "";
}

void Printer::operator()(const Attribute &attribute)
{
    if (isIdentifier(attribute.name)) {
        operand(attribute.object);
        m_text += '.';
        m_text += attribute.name;
    } else {
        m_text += "getattr(";
        print(attribute.object);
        m_text += ", " + encodeString(attribute.name) + ")";
    }
}

void Printer::operator()(const Call &call)
{
    operand(call.callee);
    m_text += '(';
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
        const Argument &argument = call.arguments[i];
        m_text += i ? ", " : "";
        if (argument.keyword)
            m_text += std::string(*argument.keyword) + "=";
        print(argument.value);
    }
    m_text += ')';
}

void Printer::operator()(const Subscript &subscript)
{
    operand(subscript.object);
    m_text += '[';
    print(subscript.index);
    m_text += ']';
}

void Printer::operator()(const Dict &dict)
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

void Printer::operator()(const Negation &negation)
{
    m_text += '-';
    if (isNumberLiteral(m_tree.at(negation.operand)))
        operand(negation.operand);
    else
        print(negation.operand);
}

void Printer::typed(std::string_view open, TypeId type, ExpressionId value)
{
    m_text += open;
    print(type);
    m_text += ", ";
    print(value);
    m_text += ')';
}

void Printer::operator()(const Uninitialized &uninitialized)
{
    m_text += "uninitialized(";
    print(uninitialized.type);
    m_text += ')';
}

void Printer::operator()(const IsInstance &test)
{
    m_text += "isinstance(";
    print(test.value);
    if (test.types.size() == 1)
        separated(", ", test.types, ")");
    else
        separated(", (", test.types, "))");
}

void Printer::operator()(const Assign &assign)
{
    separated("", assign.targets, "");
    if (assign.type) {
        m_text += " : ";
        print(*assign.type);
    }
    separated(" = ", assign.values, "\n");
}

void Printer::operator()(const Unpack &unpack)
{
    separated("", unpack.targets, ", = ");
    print(unpack.value);
    m_text += '\n';
}

void Printer::operator()(const Evaluate &evaluate)
{
    print(evaluate.value);
    m_text += '\n';
}

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

void Printer::operator()(const If &statement)
{
    m_text += "if ";
    print(statement.condition);
    block(statement.then);
    indent();
    m_text += "else";
    block(statement.orElse);
}

void Printer::operator()(const While &statement)
{
    m_text += "while ";
    print(statement.condition);
    block(statement.body);
}

void Printer::operator()(const For &statement)
{
    m_text += formatted("for {} in range(", statement.variable);
    print(statement.count);
    m_text += ')';
    block(statement.body);
}

void Printer::operator()(const With &statement)
{
    m_text += "with ";
    print(statement.context);
    if (statement.variable)
        m_text += formatted(" as {}", *statement.variable);
    block(statement.body);
}

void Printer::operator()(const Return &statement)
{
    m_text += "return";
    if (statement.value) {
        m_text += ' ';
        print(*statement.value);
    }
    m_text += '\n';
}

void Printer::operator()(const LocalFunction &statement)
{
    m_text.resize(m_text.size() - 2 * m_level); // the function indents itself
    print(statement.function);
}

void Printer::parameter(const Parameter &parameter)
{
    m_text += parameter.name;
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

void Printer::names(std::string_view key, const std::optional<std::vector<std::string_view>> &names)
{
    if (!names)
        return;
    indent();
    m_text += formatted("{} = [", key);
    for (const std::string_view name : *names)
        m_text += encodeString(name) + ", ";
    m_text += "]\n";
}

void Printer::field(const Field &field, bool isFirst)
{
    const bool isWord = isIdentifier(field.name);
    if (!isWord && isFirst) {
        indent();
        m_text += "__annotations__ = []\n";
    }
    indent();
    m_text += isWord ? std::string(field.name) : "__annotations__[" + encodeString(field.name) + "]";
    if (field.type) {
        m_text += isWord ? " : " : " = ";
        print(*field.type);
    }
    if (field.value) {
        m_text += " = ";
        print(*field.value);
    }
    m_text += '\n';
}

void Printer::print(ClassId id)
{
    using enum Class::Kind;
    constexpr std::string_view bases[] = {"", "(Module)", "(NamedTuple)", "(Enum)", "(Interface)", "(ModuleInterface)"};
    const Class &definition = m_tree.at(id);
    m_text += formatted("class {}{}:\n", definition.name, bases[static_cast<std::size_t>(definition.kind)]);
    const std::size_t start = m_text.size();
    ++m_level;
    names("__parameters__", definition.parameters);
    names("__buffers__", definition.buffers);
    names("__forward_pre_hooks__", definition.forwardPreHooks);
    names("__forward_hooks__", definition.forwardHooks);
    for (std::size_t i = 0; i < definition.fields.size(); ++i)
        field(definition.fields[i], i == 0);
    for (const FunctionId method : definition.methods)
        print(method);
    if (m_text.size() == start)
        m_text += "  pass\n";
    --m_level;
}

template <class Id>
std::string printed(const Tree &tree, Id id)
{
    Printer printer(tree);
    printer.print(id);
    return printer.take();
}

} // namespace

std::string print(const Tree &tree)
{
    Printer printer(tree);
    for (const auto &definition : tree.definitions)
        std::visit([&](auto id) { printer.print(id); }, definition);
    return printer.take();
}

std::string print(const Tree &tree, ClassId id) { return printed(tree, id); }
std::string print(const Tree &tree, FunctionId id) { return printed(tree, id); }
std::string print(const Tree &tree, StatementId id) { return printed(tree, id); }
std::string print(const Tree &tree, ExpressionId id) { return printed(tree, id); }
std::string print(const Tree &tree, TypeId id) { return printed(tree, id); }

} // namespace cutaway::formats::torchscript
