// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A query is read from left to right, without going back:
//   or = and {"or" and}     and = not {["and"] not}     not = "not" not | "(" or ")" | ["has"] "(" or ")" | term
// A term is a word, PROPERTY:TEXT, FIGURE SIGN NUMBER, or a flag; docs/query.md has the whole grammar.
#include "core/query/query.h"

#include "core/base/formatted.h"
#include "core/base/near_names.h"
#include "core/base/result.h"
#include "core/node_data/node_data.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace cutaway::query {

namespace {

using Parsed = std::expected<Expression, Mistake>;
using Form = PropertyRow::Form;
using Sign = Comparison::Sign;

constexpr int maxDepth = 200; ///< the limit of brackets and "not" inside each other, each of which is a recursive call

bool isAskedByColon(const PropertyRow &row)
{
    return row.form != Form::Figure && row.form != Form::Flag && row.form != Form::Column;
}

constexpr bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

Expression termOf(Term term) { return {.term = std::move(term)}; }

class QueryParser {
public:
    QueryParser(std::string_view text, Subject subject) : m_text(text), m_subject(subject) { }

    Parsed parse()
    {
        Parsed all = parseOr();
        if (all && !atEnd())
            return mistake("expected \"and\", \"or\" or the end, found ')'");
        return all;
    }

private:
    // ---- characters

    char peek(std::size_t ahead = 0) const { return m_at + ahead < m_text.size() ? m_text[m_at + ahead] : '\0'; }
    bool isPast() const { return m_at >= m_text.size(); }
    void skipBlanks()
    {
        while (!isPast() && isBlank(peek()))
            ++m_at;
    }
    bool atEnd()
    {
        skipBlanks();
        return isPast();
    }
    bool isSignHere() const
    {
        const char c = peek();
        return c == '<' || c == '>' || c == '=' || (c == '!' && peek(1) == '=');
    }
    bool isEndOfText() const { return isPast() || isBlank(peek()) || peek() == '(' || peek() == ')'; }

    std::unexpected<Mistake> mistake(std::string message, std::size_t length = 1) const
    {
        return std::unexpected(Mistake{std::move(message), m_at, length});
    }
    std::unexpected<Mistake> mistakeAt(std::size_t start, std::string message) const
    {
        return std::unexpected(Mistake{std::move(message), start, std::max<std::size_t>(m_at - start, 1)});
    }
    /// Returns the next character, with all of its bytes.
    std::string found() const
    {
        std::size_t end = m_at + 1;
        while (end < m_text.size() && (static_cast<unsigned char>(m_text[end]) & 0xC0) == 0x80)
            ++end;
        return isPast() ? "the end" : formatted("'{}'", m_text.substr(m_at, end - m_at));
    }

    // ---- expressions

    /// Takes the keyword if it is next. Returns whether it was.
    bool take(std::string_view keyword)
    {
        skipBlanks();
        if (!isKeyword(keyword))
            return false;
        m_at += keyword.size();
        return true;
    }

    bool isKeyword(std::string_view keyword) const
    {
        const std::string_view rest = m_text.substr(m_at);
        return rest.starts_with(keyword)
            && (rest.size() == keyword.size() || isBlank(rest[keyword.size()]) || rest[keyword.size()] == '('
                || rest[keyword.size()] == ')');
    }

    Parsed parseOr()
    {
        return parseSeveral(Expression::Kind::Or, &QueryParser::parseAnd, [this] { return take("or"); });
    }

    Parsed parseAnd()
    {
        return parseSeveral(Expression::Kind::And, &QueryParser::parseNot, [this] {
            const bool isNamed = take("and");
            return isNamed || (!atEnd() && peek() != ')' && !isKeyword("or"));
        });
    }

    Parsed parseSeveral(Expression::Kind kind, Parsed (QueryParser::*parseOne)(), const auto &goesOn)
    {
        Parsed first = (this->*parseOne)();
        if (!first || !goesOn())
            return first;
        Expression all{.kind = kind};
        all.operands.push_back(*std::move(first));
        do {
            Parsed next = (this->*parseOne)();
            if (!next)
                return next;
            all.operands.push_back(*std::move(next));
        } while (goesOn());
        return all;
    }

    Parsed parseNot()
    {
        skipBlanks();
        if (m_depth == maxDepth)
            return mistake("the query is nested too deeply");
        ++m_depth;
        Parsed result = take("not") ? negated()
            : peek() == '('         ? bracketed()
            : isHasHere()           ? havingNode()
                                    : parseTerm();
        --m_depth;
        return result;
    }

    Parsed negated()
    {
        Parsed operand = parseNot();
        if (!operand)
            return operand;
        Expression all{.kind = Expression::Kind::Not};
        all.operands.push_back(*std::move(operand));
        return all;
    }

    Parsed bracketed()
    {
        const std::size_t opening = m_at++;
        Parsed inside = parseOr();
        if (!inside)
            return inside;
        if (atEnd())
            return std::unexpected(Mistake{"this '(' is not closed", opening});
        ++m_at; // parseOr() ends at the end or at a ')'
        return inside;
    }

    // ---- models

    static constexpr std::string_view has = "has";
    bool isHasHere() const
    {
        return m_subject == Subject::Model && m_text.substr(m_at).starts_with(has) && peek(has.size()) == '(';
    }

    static Expression hasNode(Expression node)
    {
        Expression all{.kind = Expression::Kind::Has};
        all.operands.push_back(std::move(node));
        return all;
    }

    /// Parses has(…), whose brackets contain a query about nodes.
    Parsed havingNode()
    {
        m_at += has.size();
        m_subject = Subject::Node;
        const Parsed node = bracketed();
        m_subject = Subject::Model;
        return node ? Parsed(hasNode(*node)) : node;
    }

    /// Returns the row of a property. A query about models can also use the properties of nodes that are written with a
    /// colon, which are asked of the model's nodes.
    const PropertyRow *rowNamed(std::string_view name) const
    {
        const PropertyRow *own = propertyNamed(name, m_subject);
        const PropertyRow *row = own ? own : propertyNamed(name);
        const bool isNodes = row && isAskedByColon(*row);
        return own || isNodes ? row : nullptr;
    }
    bool isOfNodes(const PropertyRow &row) const
    {
        return m_subject == Subject::Model && !propertyNamed(row.name, Subject::Model);
    }

    // ---- terms

    Parsed parseTerm()
    {
        for (const std::string_view keyword : {"and", "or"})
            if (isKeyword(keyword))
                return mistake(formatted("expected a word or a property, found \"{}\"", keyword), keyword.size());
        if (isPast() || peek() == ')' || isSignHere())
            return mistake(formatted("expected a word or a property, found {}", found()), 1);
        const std::size_t start = m_at;
        if (const PropertyRow *flag = flagHere()) {
            m_at += flag->name.size();
            return termOf(Flag{flag->property});
        }
        if (isDataHere())
            return dataTerm();
        CUTAWAY_TRY(const auto property, propertyHere());
        if (property) {
            Parsed value = valueOf(*property, start);
            return value && isOfNodes(*property) ? Parsed(hasNode(*std::move(value))) : value;
        }
        CUTAWAY_TRY(const auto word, parsePattern());
        const std::string_view written = m_text.substr(start, m_at - start);
        skipBlanks();
        if (isSignHere())
            return comparisonOf(written, start);
        return termOf(Word{word.lowered()});
    }

    const PropertyRow *flagHere() const
    {
        for (const PropertyRow &row : properties(m_subject))
            if (row.form == Form::Flag && isKeyword(row.name))
                return &row;
        return nullptr;
    }

    /// Reads a property and its colon; nullptr if there is none here. Two colons belong to an operator's name.
    std::expected<const PropertyRow *, Mistake> propertyHere()
    {
        std::size_t end = m_at;
        while (end < m_text.size() && (('a' <= m_text[end] && m_text[end] <= 'z') || m_text[end] == '_'))
            ++end;
        const bool isProperty = end > m_at && end < m_text.size() && m_text[end] == ':'
            && (end + 1 >= m_text.size() || m_text[end + 1] != ':');
        if (!isProperty)
            return nullptr;
        const std::string_view name = m_text.substr(m_at, end - m_at);
        const PropertyRow *row = rowNamed(name);
        if (!row)
            return mistake(
                formatted("there is no property '{}:'; there is {}; a name that has a colon stands in quotes", name,
                          spellingsNear(name)),
                name.size() + 1);
        if (row->form == Form::Figure)
            return mistake(
                formatted("{} is compared with a number: {}>1{}", name, name, row->unit == Unit::Second ? "ms" : "K"),
                name.size() + 1);
        if (row->form == Form::Column)
            return mistake("data is asked by its columns: data.latency>1, data.stage:encoder", name.size() + 1);
        if (row->form == Form::Flag)
            return mistake(formatted("{} stands alone, without a colon", name), name.size() + 1);
        m_at = end + 1;
        return row;
    }

    std::string spellingsNear(std::string_view name) const
    {
        std::vector<std::string_view> names;
        for (const Subject subject : {m_subject, Subject::Node})
            for (const PropertyRow &row : properties(subject))
                if (isAskedByColon(row) && !std::ranges::contains(names, row.name))
                    names.push_back(row.name);
        return nearNames(name, names);
    }

    Parsed valueOf(const PropertyRow &row, std::size_t start)
    {
        if (row.form == Form::Sizes)
            return parseShape();
        if (row.form == Form::Path)
            return parsePath(row.property);
        const std::size_t from = m_at;
        CUTAWAY_TRY(auto pattern, parsePattern());
        if (m_at == from)
            return mistake(
                formatted("expected a text right after \"{}\", found {}", m_text.substr(start, m_at - start), found()));
        if (row.form == Form::Value)
            return termOf(Relation{row.property, std::move(pattern)});
        return termOf(TextMatch{row.property, pattern.lowered()});
    }

    /// Parses a pattern, up to a blank, a bracket or `ending`; within quotes it may have all of these.
    std::expected<Pattern, Mistake> parsePattern(std::string_view ending = {})
    {
        const bool isWord = m_at == 0 || m_text[m_at - 1] != ':';
        Pattern pattern;
        while (!isEndOfText() && !(isWord && isSignHere())) {
            if (!ending.empty() && m_text.substr(m_at).starts_with(ending))
                break;
            if (peek() == '"') {
                CUTAWAY_TRY(const auto quoted, parseQuoted());
                pattern.add(quoted);
                continue;
            }
            if (peek() == '*')
                pattern.addStar();
            else
                pattern.add(m_text.substr(m_at, 1));
            ++m_at;
        }
        return pattern;
    }

    std::expected<std::string, Mistake> parseQuoted()
    {
        const std::size_t opening = m_at++;
        std::string text;
        while (!isPast() && peek() != '"') {
            if (peek() == '\\' && m_at + 1 < m_text.size())
                ++m_at;
            text += m_text[m_at++];
        }
        if (isPast())
            return std::unexpected(Mistake{"this quote is not closed", opening});
        ++m_at;
        return text;
    }

    Parsed parsePath(Property property)
    {
        constexpr std::string_view dots = "..";
        const std::size_t from = m_at;
        CUTAWAY_TRY(auto first, parsePattern(dots));
        if (m_at == from || !m_text.substr(m_at).starts_with(dots))
            return mistake(formatted("expected two names with two dots between them: between:a..b, found {}", found()));
        m_at += dots.size();
        const std::size_t second = m_at;
        CUTAWAY_TRY(auto last, parsePattern());
        if (m_at == second)
            return mistake(formatted("expected a name right after the two dots, found {}", found()));
        return termOf(Relation{property, std::move(first), std::move(last)});
    }

    // ---- node data

    bool isDataHere() const
    {
        return m_subject == Subject::Node && m_text.substr(m_at).starts_with(node_data::columnPrefix);
    }

    /// Parses data.COLUMN:TEXT or data.COLUMN SIGN NUMBER; the name of a column is quoted if it has other characters
    /// than names.
    Parsed dataTerm()
    {
        m_at += node_data::columnPrefix.size();
        CUTAWAY_TRY(const auto column, columnHere());
        if (column.empty())
            return mistake(formatted("expected the name of a column right after \"data.\", found {}", found()));
        if (peek() == ':') {
            ++m_at;
            CUTAWAY_TRY(const auto pattern, parsePattern());
            return Parsed(termOf(DataMatch{column, pattern.lowered()}));
        }
        skipBlanks();
        if (!isSignHere())
            return mistake(formatted("expected ':' or a comparison after the column, found {}", found()));
        const Sign sign = takeSign();
        skipBlanks();
        CUTAWAY_TRY(const auto number, parseNumber(rowOf(Property::Data)));
        return termOf(DataMatch{column, DataMatch::Number{sign, number}});
    }

    std::expected<std::string, Mistake> columnHere()
    {
        if (peek() == '"')
            return parseQuoted();
        const std::size_t start = m_at;
        while (!isEndOfText() && !isSignHere() && peek() != ':')
            ++m_at;
        return std::string(m_text.substr(start, m_at - start));
    }

    // ---- shapes

    Parsed parseShape()
    {
        if (peek() != '[')
            return mistake(formatted("expected a shape such as [1,3,*], found {}", found()));
        const std::size_t opening = m_at++;
        ShapePattern pattern;
        skipBlanks();
        while (peek() != ']') {
            const std::size_t start = m_at;
            std::string size = parseSizeText();
            if (isPast())
                return std::unexpected(Mistake{"this '[' is not closed", opening});
            if (size.empty())
                return mistake(formatted("expected a size, '*' or '...', found {}", found()));
            if (size == "..." && pattern.rest)
                return mistakeAt(start, "'...' stands in a shape once");
            addSize(pattern, std::move(size));
            if (peek() == ',' && m_text.find_first_not_of(" \t", m_at + 1) != m_text.find(']', m_at + 1))
                ++m_at;
            else if (peek() != ']')
                return mistake("expected a size behind the comma");
        }
        ++m_at;
        return termOf(std::move(pattern));
    }

    /// Reads a size without its blanks. Brackets in a formula may contain commas.
    std::string parseSizeText()
    {
        std::string size;
        int depth = 0;
        for (; !isPast() && !(depth == 0 && (peek() == ',' || peek() == ']')); ++m_at) {
            depth += peek() == '(' ? 1 : peek() == ')' ? -1 : 0;
            if (!isBlank(peek()))
                size += peek();
        }
        return size;
    }

    static void addSize(ShapePattern &pattern, std::string size)
    {
        std::int64_t number = 0;
        const auto [end, fault] = std::from_chars(size.data(), size.data() + size.size(), number);
        if (size == "...")
            pattern.rest = pattern.sizes.size();
        else if (size == "*")
            pattern.sizes.emplace_back(ShapePattern::Any());
        else if (fault == std::errc() && end == size.data() + size.size())
            pattern.sizes.emplace_back(number);
        else
            pattern.sizes.emplace_back(std::move(size));
    }

    // ---- comparisons

    Parsed comparisonOf(std::string_view written, std::size_t start)
    {
        const PropertyRow *row = propertyNamed(written, m_subject);
        if (row && row->form != Form::Figure)
            return std::unexpected(
                Mistake{formatted("{} is no figure: {}:…", written, written), start, written.size()});
        if (!row) {
            std::vector<std::string_view> names;
            for (const PropertyRow &each : properties(m_subject))
                if (each.form == Form::Figure)
                    names.push_back(each.name);
            return std::unexpected(
                Mistake{formatted("there is no figure '{}'; there is {}", written, nearNames(written, names)), start,
                        written.size()});
        }
        const Sign sign = takeSign();
        skipBlanks();
        CUTAWAY_TRY(const auto number, parseNumber(*row));
        return termOf(Comparison{row->property, sign, number});
    }

    Sign takeSign()
    {
        const char first = m_text[m_at++];
        const bool isLonger = peek() == '=';
        m_at += isLonger;
        switch (first) {
        case '<':
            return isLonger ? Sign::LessEqual : Sign::Less;
        case '>':
            return isLonger ? Sign::GreaterEqual : Sign::Greater;
        case '!':
            return Sign::NotEqual;
        default:
            return Sign::Equal; // "==" is read, too
        }
    }

    std::expected<double, Mistake> parseNumber(const PropertyRow &row)
    {
        const std::size_t start = m_at;
        double number = 0;
        const char *text = m_text.data() + m_at;
        const auto [end, fault] = std::from_chars(text, m_text.data() + m_text.size(), number);
        if (fault != std::errc() || !std::isfinite(number))
            return mistake(formatted("expected a number, found {}", found()));
        m_at += static_cast<std::size_t>(end - text);
        const std::size_t unit = m_at;
        while (!isEndOfText() && !isSignHere())
            ++m_at;
        const std::string_view suffix = m_text.substr(unit, m_at - unit);
        const auto factor = factorOf(row.unit, suffix);
        if (!factor && suffix.empty() && number == 0)
            return 0;
        if (!factor)
            return mistakeAt(suffix.empty() ? start : unit,
                             suffix.empty() ? formatted("{} needs a unit: {}", row.name, suffixesOf(row.unit))
                                            : formatted("'{}' is no unit of {}; there is {}", suffix, row.name,
                                                        suffixesOf(row.unit)));
        return number * *factor;
    }

    std::string_view m_text;
    Subject m_subject;
    std::size_t m_at = 0;
    int m_depth = 0;
};

} // namespace

std::expected<Expression, Mistake> parse(std::string_view text, Subject subject)
{
    return QueryParser(text, subject).parse();
}

} // namespace cutaway::query
