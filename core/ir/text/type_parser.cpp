// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/ir/text/type_parser.h"

#include "core/base/limits.h"
#include "core/base/text.h"
#include "core/ir/text/type_names.h"

namespace cutaway::ir {

namespace {

class TypeParser {
public:
    TypeParser(TextLexer &lexer, Context &context) : m_lexer(lexer), m_context(context) { }

    TypeId take()
    {
        if (++m_depth > limits::maxNesting)
            m_lexer.failWith("the type is nested more than " + std::to_string(limits::maxNesting) + " deep");
        const Type type = m_lexer.accept("?") || m_lexer.failed() ? Type() : takeNamed();
        --m_depth;
        return m_lexer.failed() ? TypeId{} : m_context.type(type);
    }

private:
    Type takeNamed()
    {
        const std::size_t start = m_lexer.position();
        const std::string word(m_lexer.peekWord());
        if (word.empty() || m_lexer.failed()) {
            m_lexer.fail("a type");
            return {};
        }
        m_lexer.acceptWord(word);
        if (m_lexer.startsWith("[") && (word == "tensor" || dtypeFromName(word)))
            return takeTensor(dtypeFromName(word));
        if (const auto kind = kindNamed<NumberType::Kind>(numberNames, word))
            return takeNumber(*kind);
        if (const auto kind = kindNamed<PlainType::Kind>(plainNames, word))
            return PlainType{*kind};
        if (const auto kind = kindNamed<ClassType::Kind>(classNames, word))
            return ClassType{*kind, m_context.name(m_lexer.takeText())};
        if (const auto kind = kindNamed<CompoundType::Kind>(compoundNames, word))
            return takeCompound(*kind);
        m_lexer.failWith("found '" + sanitized(word) + "' where a type is expected", start);
        return {};
    }

    Dim takeDim()
    {
        if (m_lexer.accept("?"))
            return UnknownDim{};
        if (const auto number = m_lexer.acceptDigits())
            return *number;
        const auto expr = parseExpression(m_lexer);
        if (!expr)
            return UnknownDim{};
        return expr->kind() == symbolic::Kind::Integer ? Dim(expr->integerValue()) : Dim(*expr);
    }

    Shape takeShape()
    {
        Shape shape;
        m_lexer.expect("[");
        while (!m_lexer.failed() && !m_lexer.accept("]")) {
            shape.push_back(takeDim());
            if (!m_lexer.startsWith("]"))
                m_lexer.expect(",");
        }
        return shape;
    }

    Layout takeLayout()
    {
        m_lexer.expect("(");
        const auto layout = layoutFromName(m_lexer.peekWord());
        if (!layout)
            m_lexer.fail("a layout's name");
        m_lexer.acceptWord(m_lexer.peekWord());
        m_lexer.expect(")");
        return layout.value_or(Layout::Strided);
    }

    Type takeTensor(std::optional<DType> dtype)
    {
        TensorType type;
        type.dtype = dtype;
        if (!m_lexer.accept("[*]"))
            type.shape = takeShape();
        if (m_lexer.acceptWord("strides"))
            type.strides = takeShape();
        if (m_lexer.acceptWord("on"))
            type.device = parseDevice(m_lexer.takeText(), m_context);
        if (m_lexer.acceptWord("layout"))
            type.layout = takeLayout();
        type.requiresGrad = m_lexer.acceptWord("grad");
        return type;
    }

    Type takeNumber(NumberType::Kind kind)
    {
        NumberType type{kind, {}};
        if (m_lexer.accept("(")) {
            type.value = parseExpression(m_lexer);
            m_lexer.expect(")");
        }
        return type;
    }

    Type takeCompound(CompoundType::Kind kind)
    {
        CompoundType type;
        type.kind = kind;
        if (m_lexer.peek() == '"')
            type.name = m_context.name(m_lexer.takeText());
        m_lexer.expect("<");
        while (!m_lexer.failed() && !m_lexer.accept(">")) {
            if (m_lexer.peek() == '"') {
                type.fieldNames.push_back(m_context.name(m_lexer.takeText()));
                m_lexer.expect(":");
            }
            type.elements.push_back(take());
            if (!m_lexer.startsWith(">"))
                m_lexer.expect(",");
        }
        if (const auto fault = faultOf(type))
            m_lexer.failWith(*fault);
        return type;
    }

    TextLexer &m_lexer;
    Context &m_context;
    int m_depth = 0;
};

} // namespace

TypeId parseType(TextLexer &lexer, Context &context) { return TypeParser(lexer, context).take(); }

Device parseDevice(std::string_view text, Context &context)
{
    const std::size_t colon = text.rfind(':');
    int index = 0;
    const std::string_view digits = colon == text.npos ? "" : text.substr(colon + 1);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
    if (digits.empty() || error != std::errc() || end != digits.data() + digits.size())
        return {context.name(text), {}};
    return {context.name(text.substr(0, colon)), index};
}

std::optional<symbolic::Expr> parseExpression(TextLexer &lexer)
{
    const std::size_t start = lexer.position();
    auto expr = symbolic::parse(lexer.takeExpression());
    if (!expr)
        lexer.failWith(expr.error().text(), start);
    return expr ? std::optional(std::move(*expr)) : std::nullopt;
}

} // namespace cutaway::ir
