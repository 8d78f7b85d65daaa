// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/python/token_stream.h"

#include "core/base/formatted.h"
#include "core/base/text.h"
#include "core/formats/unusable.h"

#include <algorithm>
#include <limits>

namespace cutaway::formats::python {

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
    if (source.size() >= std::numeric_limits<std::uint32_t>::max())
        unusable("the source is longer than 4 GiB");
    take();
    take();
}

Token TokenStream::take()
{
    const Token taken = m_now;
    m_end = taken.offset + static_cast<std::uint32_t>(taken.text.size());
    m_now = m_ahead;
    m_ahead = m_lexer.next();
    if (m_now.kind == Token::Kind::Wrong)
        fail(formatted("{}: {}", m_now.text, lineFrom(m_source, m_now.offset)), position());
    return taken;
}

bool TokenStream::accept(std::string_view symbolOrName)
{
    if (!is(symbolOrName))
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

void TokenStream::expect(std::string_view symbolOrName)
{
    if (!accept(symbolOrName))
        failWanted(formatted("'{}'", symbolOrName));
}

Token TokenStream::expect(Token::Kind kind, std::string_view wanted)
{
    if (is(kind))
        return take();
    failWanted(wanted);
}

void TokenStream::failWanted(std::string_view wanted) const
{
    fail(formatted("found {}, expected {}", described(m_now), wanted), position());
}

void TokenStream::fail(std::string message, Position position) const
{
    unusable(std::move(message), lineAndColumn(m_source, position));
}

std::string lineAndColumn(std::string_view source, Position position)
{
    const std::string_view before = source.substr(0, position.offset);
    const std::size_t lineStart = before.rfind('\n') + 1; // npos + 1 is 0
    return formatted("line {}, column {}", std::ranges::count(before, '\n') + 1, before.size() - lineStart + 1);
}

} // namespace cutaway::formats::python
