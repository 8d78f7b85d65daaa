// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/torchscript/source/token_stream.h"

#include "core/base/formatted.h"
#include "core/base/text.h"

#include <algorithm>

namespace cutaway::formats::torchscript {

namespace {

std::string lineFrom(std::string_view source, std::size_t offset)
{
    const std::string_view line = source.substr(offset, source.find('\n', offset) - offset);
    return "'" + sanitized(line.substr(0, 40)) + "'";
}

std::string described(const Token &token)
{
    switch (token.kind) {
    case Token::Kind::Newline:
        return "the end of the line";
    case Token::Kind::Indent:
        return "a deeper line";
    case Token::Kind::Dedent:
        return "the end of the block";
    case Token::Kind::End:
        return "the end of the source";
    default:
        return "'" + sanitized(token.text.substr(0, 40)) + "'";
    }
}

} // namespace

TokenStream::TokenStream(std::string_view source) : m_source(source), m_lexer(source)
{
    take();
    take();
}

Token TokenStream::take()
{
    const Token taken = m_now;
    if (hasFailed())
        return taken;
    m_now = m_ahead;
    m_ahead = m_lexer.next();
    if (m_now.kind == Token::Kind::Wrong)
        fail(formatted("{}: {}", m_now.text, lineFrom(m_source, m_now.offset)), place());
    return taken;
}

bool TokenStream::accept(std::string_view symbol)
{
    if (!isSymbol(symbol))
        return false;
    take();
    return true;
}

bool TokenStream::accept(Token::Kind kind)
{
    if (!is(kind))
        return false;
    take();
    return true;
}

void TokenStream::expect(std::string_view symbol)
{
    if (!accept(symbol))
        failWanted(formatted("'{}'", symbol));
}

void TokenStream::expectName(std::string_view name)
{
    if (m_now.isName(name))
        take();
    else
        failWanted(formatted("'{}'", name));
}

Token TokenStream::expect(Token::Kind kind, std::string_view wanted)
{
    if (is(kind))
        return take();
    failWanted(wanted);
    return m_now;
}

void TokenStream::failWanted(std::string_view wanted)
{
    if (!hasFailed())
        fail(formatted("found {}, wanted {}", described(m_now), wanted), place());
}

void TokenStream::fail(std::string message, Place place)
{
    if (!hasFailed())
        m_error = Error{ErrorKind::Unreadable, std::move(message), lineAndColumn(m_source, place)};
    m_now = m_ahead = {Token::Kind::End, m_now.offset, {}};
}

std::string lineAndColumn(std::string_view source, Place place)
{
    const std::string_view before = source.substr(0, place.offset);
    const std::size_t lineStart = before.rfind('\n') + 1; // npos + 1 is 0
    return formatted("line {}, column {}", std::ranges::count(before, '\n') + 1, before.size() - lineStart + 1);
}

} // namespace cutaway::formats::torchscript
