// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/schemas/schema.h"

#include "core/base/limits.h"

#include <algorithm>
#include <array>
#include <charconv>

// The language, as torch prints it:
//   schema    := dialect "::" name ["." overload] "(" [argument {"," argument}] ")" "->" results
//   argument  := "*" | "..." | type name ["=" literal]
//   results   := "..." | "(" [result {"," result}] ")" | result      result := type [name] | "..."
//   type      := base [alias] { ("[" [size] "]" | "?") [alias] }
//   base      := word | generic "(" type {"," type} ")" | "(" [type {"," type}] ")"
//   alias     := "(" set ["!"] ["->" set] ")"                        set := "*" | word {"|" word}
// After the first error the parser stands at the end of the text, so that everything returns.

namespace cutaway::ops {

namespace {

constexpr std::array genericNames{"Dict", "Future", "Await", "RRef", "Union"};
constexpr std::array lowerCaseTypes{"int", "float", "bool", "complex", "str", "number"};

bool isWordCharacter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

bool isVariable(std::string_view word)
{
    return word[0] >= 'a' && word[0] <= 'z' && !word.contains('.') && !std::ranges::contains(lowerCaseTypes, word);
}

class Parser {
public:
    explicit Parser(std::string_view text) : m_text(text) { }

    Result<Schema> schema()
    {
        Schema schema;
        parseOperator(schema);
        parseArguments(schema);
        expect("->");
        parseReturns(schema);
        return finished(std::move(schema));
    }

    Result<SchemaType> type()
    {
        SchemaType type = parseType();
        return finished(std::move(type));
    }

private:
    template <class T>
    Result<T> finished(T value)
    {
        if (m_error.empty() && peek() != '\0')
            fail("the end");
        if (!m_error.empty())
            return unreadable(m_error, "column " + std::to_string(m_errorAt + 1));
        return value;
    }

    void fail(std::string_view wanted)
    {
        if (m_error.empty()) {
            m_error = "operator schema: expected " + std::string(wanted);
            m_errorAt = m_at;
        }
        m_at = m_text.size();
    }

    void skipBlanks()
    {
        while (m_at < m_text.size() && m_text[m_at] == ' ')
            ++m_at;
    }

    char peek()
    {
        skipBlanks();
        return m_at < m_text.size() ? m_text[m_at] : '\0';
    }

    bool take(std::string_view token)
    {
        skipBlanks();
        if (!m_text.substr(m_at).starts_with(token))
            return false;
        m_at += token.size();
        return true;
    }

    void expect(std::string_view token)
    {
        if (!take(token))
            fail("\"" + std::string(token) + "\"");
    }

    /// Reads the word at the cursor, which may be empty.
    std::string_view word()
    {
        skipBlanks();
        const std::size_t start = m_at;
        while (m_at < m_text.size() && isWordCharacter(m_text[m_at]))
            ++m_at;
        return m_text.substr(start, m_at - start);
    }

    std::string_view expectWord(std::string_view wanted)
    {
        const std::string_view found = word();
        if (found.empty())
            fail(wanted);
        return found;
    }

    void parseOperator(Schema &schema)
    {
        schema.dialect = expectWord("a namespace");
        expect("::");
        const std::string_view name = expectWord("an operator's name");
        schema.name = name.substr(0, name.find('.'));
        if (schema.name.size() + 1 < name.size())
            schema.overload = name.substr(schema.name.size() + 1);
        if (schema.name.empty())
            fail("an operator's name");
    }

    void parseArguments(Schema &schema)
    {
        expect("(");
        bool keywordOnly = false;
        while (!failed() && !take(")")) {
            if (take("..."))
                schema.moreArguments = true;
            else if (take("*"))
                keywordOnly = true;
            else
                schema.arguments.push_back(parseArgument(keywordOnly));
            separate();
        }
    }

    /// Reads what follows an item of a list: a comma, or the end.
    void separate()
    {
        if (peek() != ')' && !take(","))
            fail("\",\" or \")\"");
    }

    SchemaArgument parseArgument(bool keywordOnly)
    {
        SchemaArgument argument{.type = parseType(),
                                .name = expectWord("an argument's name"),
                                .defaultValue = {},
                                .keywordOnly = keywordOnly};
        if (take("=")) {
            skipBlanks();
            const std::size_t start = m_at;
            skipLiteral();
            argument.defaultValue = m_text.substr(start, m_at - start);
        }
        return argument;
    }

    void skipLiteral()
    {
        if (const char quote = peek(); quote == '"' || quote == '\'')
            return skipString(quote);
        if (take("[")) {
            const DepthGuard guard(*this);
            while (!failed() && !take("]")) {
                skipLiteral();
                if (peek() != ']')
                    expect(",");
            }
            return;
        }
        take("-");
        const std::string_view mantissa = expectWord("a default value");
        const bool hasSign = m_at < m_text.size() && (m_text[m_at] == '-' || m_text[m_at] == '+');
        if (hasSign && mantissa.ends_with('e')) { // the "-" belongs to the exponent, as in 1e-05
            ++m_at;
            expectWord("an exponent");
        }
    }

    void skipString(char quote)
    {
        for (++m_at; m_at < m_text.size() && m_text[m_at] != quote; ++m_at)
            if (m_text[m_at] == '\\')
                ++m_at;
        if (m_at >= m_text.size())
            return fail("the end of a string");
        ++m_at;
    }

    void parseReturns(Schema &schema)
    {
        if (take("...")) {
            schema.moreReturns = true;
        } else if (!take("(")) {
            schema.returns.push_back(parseReturn());
        } else {
            while (!failed() && !take(")")) {
                if (take("..."))
                    schema.moreReturns = true;
                else
                    schema.returns.push_back(parseReturn());
                separate();
            }
        }
    }

    SchemaArgument parseReturn() { return {.type = parseType(), .name = word(), .defaultValue = {}}; }

    SchemaType parseType()
    {
        const DepthGuard guard(*this);
        SchemaType type = parseBase();
        type.alias = parseAlias();
        for (int depth = m_depth;; ++depth) {
            SchemaType outer;
            if (take("["))
                outer = {SchemaType::Kind::List, {}, {}, parseListSize(), {}};
            else if (take("?"))
                outer.kind = SchemaType::Kind::Optional;
            else
                return type;
            outer.alias = parseAlias();
            outer.elements.push_back(std::move(type));
            type = std::move(outer);
            if (depth > limits::maxNesting)
                fail("a type nested less deeply");
        }
    }

    SchemaType parseBase()
    {
        if (take("("))
            return {SchemaType::Kind::Tuple, {}, parseElements(), {}, {}};
        const std::string_view name = expectWord("a type");
        if (failed())
            return {};
        if (std::ranges::contains(genericNames, name) && take("("))
            return {SchemaType::Kind::Generic, name, parseElements(), {}, {}};
        return {isVariable(name) ? SchemaType::Kind::Variable : SchemaType::Kind::Plain, name, {}, {}, {}};
    }

    std::vector<SchemaType> parseElements()
    {
        std::vector<SchemaType> elements;
        while (!failed() && !take(")")) {
            elements.push_back(parseType());
            separate();
        }
        return elements;
    }

    std::optional<std::int64_t> parseListSize()
    {
        const std::string_view digits = word();
        expect("]");
        if (digits.empty())
            return std::nullopt;
        std::int64_t size = 0;
        const auto [end, error] = std::from_chars(digits.begin(), digits.end(), size);
        if (error != std::errc{} || end != digits.end())
            fail("the size of a list");
        return size;
    }

    std::optional<std::string_view> parseAlias()
    {
        if (!take("("))
            return std::nullopt;
        skipBlanks();
        const std::size_t start = m_at;
        parseAliasSet();
        take("!");
        if (take("->"))
            parseAliasSet();
        const std::string_view alias = m_text.substr(start, m_at - start);
        expect(")");
        return alias.substr(0, alias.find_last_not_of(' ') + 1);
    }

    void parseAliasSet()
    {
        if (take("*"))
            return;
        do {
            expectWord("an alias");
        } while (take("|"));
    }

    bool failed() const { return !m_error.empty(); }

    struct DepthGuard {
        explicit DepthGuard(Parser &of) : parser(of)
        {
            if (++parser.m_depth > limits::maxNesting)
                parser.fail("a type nested less deeply");
        }
        ~DepthGuard() { --parser.m_depth; }
        DepthGuard(const DepthGuard &) = delete;
        DepthGuard &operator=(const DepthGuard &) = delete;
        Parser &parser;
    };

    std::string_view m_text;
    std::size_t m_at = 0;
    int m_depth = 0;
    std::string m_error;
    std::size_t m_errorAt = 0;
};

} // namespace

Result<Schema> parseSchema(std::string_view text) { return Parser(text).schema(); }

Result<SchemaType> parseSchemaType(std::string_view text) { return Parser(text).type(); }

} // namespace cutaway::ops
