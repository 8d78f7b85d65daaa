// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/ir/text/operand_printer.h"

#include "core/base/text.h"
#include "core/ir/text/text_lexer.h"

#include <array>
#include <charconv>
#include <cmath>

namespace cutaway::ir {

namespace {

void appendNumber(std::string &out, double x)
{
    if (std::isnan(x)) {
        out += "nan";
        return;
    }
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), x).ptr;
    const std::string_view number(text.data(), end);
    out += number;
    if (number.find_first_of(".einf") == number.npos)
        out += ".0";
}

void appendPart(std::string &out, std::string_view part) { out += isBarePart(part) ? std::string(part) : quote(part); }

} // namespace

void appendName(std::string &out, std::string_view name)
{
    if (isBareName(name))
        out += name;
    else
        out += quote(name);
}

void appendLabel(std::string &out, std::string_view name, std::uint32_t number)
{
    if (!name.empty())
        appendName(out, name);
    if (name.empty() || number > 0)
        (out += '#') += std::to_string(number);
}

void appendOperator(std::string &out, const Context &context, OpId id)
{
    const Operator &op = context.at(id);
    const std::string_view dialect = context.text(op.dialect);
    // Dialects may contain dots without quotes; those that are keywords are quoted.
    const bool bare = isBareName(dialect) && dialect.find('/') == dialect.npos && dialect != "return"
        && dialect != "weight" && dialect != "region";
    out += bare ? std::string(dialect) : quote(dialect);
    out += "::";
    appendPart(out, context.text(op.name));
    if (op.overload != NameId{}) {
        out += '.';
        appendPart(out, context.text(op.overload));
    }
}

OperandPrinter::OperandPrinter(std::string &out, const Model &model) : m_out(out), m_context(*model.context)
{
    for (std::uint32_t i = 0; i < model.tensors.size(); ++i)
        m_tensors.add(TensorId{i}, model.tensors[i].name);
    for (std::uint32_t i = 0; i < model.functions.size(); ++i)
        m_functions.add(FunctionId{i}, model.functions[i].name);
    for (std::uint32_t i = 0; i < model.objects.size(); ++i)
        m_objects.add(ObjectId{i}, model.objects[i].name);
}

void OperandPrinter::appendDevice(const Device &device)
{
    std::string text(m_context.text(device.kind));
    if (device.index)
        text += ":" + std::to_string(*device.index);
    m_out += "device(" + quote(text) + ")";
}

void OperandPrinter::appendItems(std::span<const Operand> items, std::string_view between, std::string_view pairs)
{
    for (std::size_t i = 0; i < items.size(); ++i) {
        m_out += i == 0 ? "" : i % 2 == 1 ? pairs : between;
        append(items[i]);
    }
}

void OperandPrinter::append(const Operand &operand)
{
    struct Visitor {
        OperandPrinter &printer;
        std::string &out;
        void operator()(None) const { out += "none"; }
        void operator()(ValueId id) const { printer.append(id); }
        void operator()(TensorId id) const { printer.append(id); }
        void operator()(std::int64_t n) const { out += std::to_string(n); }
        void operator()(double x) const { appendNumber(out, x); }
        void operator()(bool b) const { out += b ? "true" : "false"; }
        void operator()(const std::complex<double> &c) const
        {
            out += "complex(";
            appendNumber(out, c.real());
            out += ", ";
            appendNumber(out, c.imag());
            out += ')';
        }
        void operator()(String s) const { out += quote(printer.m_context.text(s.text)); }
        void operator()(DType dtype) const { out += name(dtype); }
        void operator()(Layout layout) const { out += name(layout); }
        void operator()(MemoryFormat format) const { out += name(format); }
        void operator()(const Device &device) const { printer.appendDevice(device); }
        void operator()(const symbolic::Expr &e) const { out += "$(" + symbolic::printParsable(e) + ")"; }
        void operator()(TypeId id) const { out += "type(" + printer.m_context.print(id) + ")"; }
        void operator()(OpId id) const
        {
            out += "op(";
            appendOperator(out, printer.m_context, id);
            out += ')';
        }
        void operator()(FunctionId id) const
        {
            out += "graph ";
            printer.append(id);
        }
        void operator()(ObjectId id) const
        {
            out += "object ";
            printer.append(id);
        }
        void operator()(const List &list) const
        {
            const bool tuple = list.kind == List::Kind::Tuple;
            out += tuple ? '(' : '[';
            printer.appendItems(list.items, ", ", ", ");
            out += tuple ? (list.items.size() == 1 ? ",)" : ")") : "]";
        }
        void operator()(const Dict &dict) const
        {
            out += '{';
            printer.appendItems(dict.items, ", ", ": ");
            out += '}';
        }
    };
    std::visit(Visitor{*this, m_out}, operand.v);
}

void OperandPrinter::appendArguments(const std::vector<Argument> &arguments)
{
    m_out += '(';
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        m_out += i == 0 ? "" : ", ";
        if (arguments[i].name != NameId{}) {
            appendName(m_out, m_context.text(arguments[i].name));
            m_out += '=';
        }
        append(arguments[i].value);
    }
    m_out += ')';
}

} // namespace cutaway::ir
