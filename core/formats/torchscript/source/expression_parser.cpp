// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/torchscript/source/expression_parser.h"

#include "core/base/formatted.h"
#include "core/base/text.h"

#include <limits>

namespace cutaway::formats::torchscript {

using python::Token;

namespace {

bool beginsNumber(const Token &token)
{
    return token.isNumber() || token.is("inf") || token.is("nan") || token.is("infj") || token.is("nanj");
}

bool isImaginary(const Token &token) { return beginsNumber(token) && token.text.back() == 'j'; }

} // namespace

ExpressionId ExpressionParser::withOperators()
{
    if (!m_tokens.is("-"))
        return chain();
    if (beginsNumber(m_tokens.ahead()))
        return number();
    const Position position = m_tokens.position();
    const std::string_view minus = m_tokens.take().text;
    const ExpressionId operand = expression();
    return add(position, Unary{minus, operand}, depth(operand));
}

ExpressionId ExpressionParser::atom()
{
    if (beginsNumber(m_tokens.now()))
        return number();
    if (m_tokens.is("...") || m_tokens.is("Ellipsis"))
        m_tokens.failWanted("an expression");
    return python::Parser::atom();
}

/// Reads an integer, a float or a complex number, which has two parts: `-5`, `1e-05`, `inf-1.j`.
ExpressionId ExpressionParser::number()
{
    const Position position = m_tokens.position();
    const bool isNegative = m_tokens.accept("-");
    const Token token = m_tokens.now();
    if (isImaginary(token))
        return add(position, Literal(std::complex<double>(isNegative ? -0. : 0., part(isNegative))));
    const bool isComplex = m_tokens.ahead().is("+") || m_tokens.ahead().is("-");
    if (token.isNumber() && !isComplex)
        return python::Parser::number(position, isNegative);
    const double real = part(isNegative);
    if (!isComplex)
        return add(position, Literal(real));
    const bool isSubtracted = m_tokens.take().text == "-";
    if (!isImaginary(m_tokens.now()))
        m_tokens.failWanted("the imaginary part of a number");
    return add(position, Literal(std::complex<double>(real, part(isSubtracted))));
}

double ExpressionParser::part(bool isNegative)
{
    const Token token = m_tokens.now();
    double value = 0;
    if (token.isNumber()) {
        value = magnitude();
    } else {
        m_tokens.take();
        value = token.text.starts_with("inf") ? std::numeric_limits<double>::infinity()
                                              : std::numeric_limits<double>::quiet_NaN();
    }
    return isNegative ? -value : value;
}

python::DecodedString ExpressionParser::decoded(const Token &literal)
{
    python::DecodedString string = python::decodeString(literal.text, python::Escapes::TorchScript);
    if (string.isRepaired)
        m_file.remarks.push_back({{literal.offset}, "a string's escapes are ones that torch writes but cannot read"});
    return string;
}

ExpressionId ExpressionParser::type()
{
    if (!m_tokens.is(Token::Kind::Name))
        m_tokens.failWanted("a type");
    const ExpressionId id = expression();
    checkType(id);
    return id;
}

void ExpressionParser::checkCall(ExpressionId id) const
{
    if (const auto form = typedForm(m_file.tree, id))
        for (const ExpressionId type : itemsOf(m_tree, form->type))
            checkType(type);
}

void ExpressionParser::checkType(ExpressionId id) const
{
    const auto *subscript = std::get_if<Subscript>(&m_tree.at(id).kind);
    const ExpressionId named = subscript ? subscript->object : id;
    if (!typeName(m_file.tree, named))
        m_tokens.fail(formatted("found '{}', expected a type", sanitized(m_tree.textOf(named).substr(0, 40))),
                      m_tree.at(named).position);
    if (subscript)
        for (const ExpressionId argument : itemsOf(m_tree, subscript->index))
            checkType(argument);
}

} // namespace cutaway::formats::torchscript
