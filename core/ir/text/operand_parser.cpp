// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/ir/text/operand_parser.h"

#include "core/base/limits.h"
#include "core/base/text.h"
#include "core/ir/text/type_parser.h"

namespace cutaway::ir {

namespace {

/// Returns the constant that a single word stands for: none, true, false, or an enumerator.
std::optional<Operand> namedConstant(std::string_view word)
{
    if (word == "none")
        return None{};
    if (word == "true" || word == "false")
        return word == "true";
    if (const auto dtype = dtypeFromName(word))
        return *dtype;
    if (const auto layout = layoutFromName(word))
        return *layout;
    const auto format = memoryFormatFromName(word);
    return format ? std::optional<Operand>(*format) : std::nullopt;
}

} // namespace

std::uint32_t LabelTable::slotOf(NameId name, std::uint32_t number, std::size_t position)
{
    const std::uint64_t key = std::uint64_t{name.index} << 32 | number;
    const auto [entry, isNew] = m_slots.emplace(key, static_cast<std::uint32_t>(m_entries.size()));
    if (isNew)
        m_entries.push_back({name, number, position, {}});
    return entry->second;
}

bool LabelTable::define(std::uint32_t slot, std::uint32_t target)
{
    const bool first = !m_entries[slot].target;
    m_entries[slot].target = target;
    return first;
}

std::uint32_t OperandParser::takeSlot(LabelTable &table, char sigil)
{
    const std::size_t start = m_lexer.position();
    if (sigil != 0)
        m_lexer.expect(std::string_view(&sigil, 1));
    const NameId name = m_lexer.peek() == '#' ? NameId{} : m_context.name(m_lexer.takeName());
    const std::uint32_t number = m_lexer.acceptAdjacent("#") ? m_lexer.takeInteger<std::uint32_t>() : 0;
    return table.slotOf(name, number, start);
}

OpId OperandParser::takeOperator()
{
    const std::string dialect = m_lexer.takePart(true);
    m_lexer.expect("::");
    const std::string name = m_lexer.takePart(false);
    const std::string overload = m_lexer.accept(".") ? m_lexer.takePart(false) : std::string();
    return m_lexer.failed() ? OpId{} : m_context.op(dialect, name, overload);
}

std::vector<Argument> OperandParser::takeArguments()
{
    std::vector<Argument> arguments;
    m_lexer.expect("(");
    while (!m_lexer.failed() && !m_lexer.accept(")")) {
        const auto name = m_lexer.acceptNameBefore("=");
        arguments.push_back({name ? m_context.name(*name) : NameId{}, take()});
        if (!m_lexer.startsWith(")"))
            m_lexer.expect(",");
    }
    return arguments;
}

template <class Take>
auto OperandParser::takeBracketed(Take take)
{
    m_lexer.expect("(");
    auto taken = take();
    m_lexer.expect(")");
    return taken;
}

Operand OperandParser::take()
{
    if (++m_depth > limits::maxNesting)
        m_lexer.failWith("lists are nested more than " + std::to_string(limits::maxNesting) + " deep");
    Operand operand = m_lexer.failed() ? Operand() : takeOne();
    --m_depth;
    return operand;
}

Operand OperandParser::takeOne()
{
    switch (m_lexer.peek()) {
    case '%':
        if (m_values)
            return takeValue();
        m_lexer.fail("a constant");
        return {};
    case '@':
        return takeTensor();
    case '"':
        return String{m_context.name(m_lexer.takeText())};
    case '[':
        m_lexer.expect("[");
        return List{takeItems("]")};
    case '(':
        m_lexer.expect("(");
        return List{takeItems(")"), List::Kind::Tuple};
    case '{':
        return Dict{takePairs()};
    case '$':
        m_lexer.expect("$");
        if (m_lexer.peek() != '(')
            return symbolic::Expr::symbol(m_lexer.takeName());
        if (auto expr = takeBracketed([&] { return parseExpression(m_lexer); }))
            return *expr;
        return {};
    case '-':
        return takeNumber();
    default:
        return takeWord();
    }
}

std::vector<Operand> OperandParser::takeItems(std::string_view end)
{
    std::vector<Operand> items;
    while (!m_lexer.failed() && !m_lexer.accept(end)) {
        items.push_back(take());
        if (!m_lexer.startsWith(end))
            m_lexer.expect(",");
    }
    return items;
}

std::vector<Operand> OperandParser::takePairs()
{
    std::vector<Operand> items;
    m_lexer.expect("{");
    while (!m_lexer.failed() && !m_lexer.accept("}")) {
        items.push_back(take());
        m_lexer.expect(":");
        items.push_back(take());
        if (!m_lexer.startsWith("}"))
            m_lexer.expect(",");
    }
    return items;
}

double OperandParser::takeFloat()
{
    const std::size_t start = m_lexer.position();
    const std::string_view digits = m_lexer.takeNumber();
    double x = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), x);
    if (!m_lexer.failed() && (error != std::errc() || end != digits.data() + digits.size()))
        m_lexer.failWith("'" + sanitized(digits) + "' is not a number", start);
    return x;
}

Operand OperandParser::takeNumber()
{
    const std::size_t start = m_lexer.position();
    const std::string_view digits = m_lexer.takeNumber();
    std::int64_t n = 0;
    double x = 0;
    const char *const last = digits.data() + digits.size();
    const auto [end, error] = std::from_chars(digits.data(), last, n);
    if (end == last && error == std::errc())
        return n;
    const auto [floatEnd, floatError] = std::from_chars(digits.data(), last, x);
    const bool isInteger = end == last; // it is an integer, but out of range
    if (!m_lexer.failed() && (isInteger || floatEnd != last || floatError != std::errc()))
        m_lexer.failWith("'" + sanitized(digits) + "' is not a number of 64 bits", start);
    return x;
}

Operand OperandParser::takeWord()
{
    const std::string word(m_lexer.peekWord());
    if ((!word.empty() && word[0] >= '0' && word[0] <= '9') || word == "inf" || word == "nan")
        return takeNumber();
    const std::size_t start = m_lexer.position();
    m_lexer.acceptWord(word);
    if (auto named = namedConstant(word))
        return std::move(*named);
    if (word == "graph")
        return takeFunction();
    if (word == "object")
        return takeObject();
    if (word == "type")
        return takeBracketed([&] { return parseType(m_lexer, m_context); });
    if (word == "op")
        return takeBracketed([&] { return takeOperator(); });
    if (word == "device")
        return takeBracketed([&] { return parseDevice(m_lexer.takeText(), m_context); });
    if (word == "complex")
        return takeBracketed([&] {
            const double real = takeFloat();
            m_lexer.expect(",");
            return std::complex<double>(real, takeFloat());
        });
    if (word.empty())
        m_lexer.fail("a value or a constant");
    else
        m_lexer.failWith("found '" + sanitized(word) + "' where a value or a constant is expected", start);
    return {};
}

} // namespace cutaway::ir
