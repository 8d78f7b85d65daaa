// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/torchscript/source/parser.h"

#include "core/base/formatted.h"
#include "core/formats/limits.h"
#include "core/formats/torchscript/source/expression_parser.h"
#include "core/formats/unusable.h"

#include <algorithm>
#include <array>

namespace cutaway::formats::torchscript {

namespace {

constexpr std::array<std::string_view, 35> pythonKeywords = {
    "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
    "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
    "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
    "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield",
};

using NameList = std::optional<std::vector<std::string_view>>;

class FileParser {
public:
    explicit FileParser(std::string_view source) : m_tokens(source), m_expressions(m_tokens, m_file) { }

    ParsedFile parse()
    {
        while (!m_tokens.is(Token::Kind::End)) {
            if (m_tokens.now().isName("class"))
                m_file.tree.definitions.emplace_back(classDefinition());
            else if (m_tokens.now().isName("def"))
                m_file.tree.definitions.emplace_back(function());
            else
                m_tokens.failWanted("'class' or 'def'");
        }
        return std::move(m_file);
    }

    ParsedFile parseType()
    {
        m_expressions.type();
        m_tokens.accept(Token::Kind::Newline);
        if (!m_tokens.is(Token::Kind::End))
            m_tokens.failWanted("nothing after the type");
        return std::move(m_file);
    }

private:
    bool atKeyword(std::string_view keyword) const { return m_tokens.now().isName(keyword); }
    std::string_view name(std::string_view wanted) { return m_tokens.expect(Token::Kind::Name, wanted).text; }

    void endOfLine()
    {
        if (!m_tokens.accept(Token::Kind::Newline))
            m_tokens.failWanted("the end of the line");
    }

    /// `:`, a deeper block, its end; `line` reads one of its statements.
    template <class Read>
    void suite(Read line)
    {
        m_tokens.expect(":");
        endOfLine();
        m_tokens.expect(Token::Kind::Indent, "a deeper block");
        if (++m_openBlocks > limits::maxNesting)
            m_tokens.fail(formatted("blocks nested deeper than {}", limits::maxNesting), m_tokens.position());
        while (!m_tokens.is(Token::Kind::Dedent))
            line();
        --m_openBlocks;
        m_tokens.accept(Token::Kind::Dedent);
    }

    ClassId classDefinition();
    Class::Kind classKind();
    void classLine(Class &target);
    void valueOfName(Class &target, const Token &name);
    void annotation(Class &target);
    void addField(Class &target, Field field);
    std::vector<std::string_view> nameList();

    FunctionId function();
    Parameter parameter();
    Block block();
    void statement(Block &block);
    Statement::Kind keywordStatement();
    Statement::Kind simpleStatement();
    Statement::Kind assignment(std::vector<ExpressionId> targets, bool unpacks);
    Statement::Kind ifStatement();
    Statement::Kind whileStatement();
    Statement::Kind forStatement();
    Statement::Kind withStatement();
    Statement::Kind returnStatement();
    void checkTargets(const std::vector<ExpressionId> &targets, Position position);
    /// `a, b`; whether a comma ends it.
    bool expressions(std::vector<ExpressionId> &list);

    ParsedFile m_file;
    TokenStream m_tokens;
    ExpressionParser m_expressions;
    int m_openBlocks = 0;
};

ClassId FileParser::classDefinition()
{
    Class definition;
    definition.position = m_tokens.position();
    m_tokens.expectName("class");
    definition.name = name("the class's name");
    definition.kind = classKind();
    suite([&] { classLine(definition); });
    m_file.tree.classes.push_back(std::move(definition));
    return {static_cast<std::uint32_t>(m_file.tree.classes.size() - 1)};
}

Class::Kind FileParser::classKind()
{
    using enum Class::Kind;
    constexpr std::pair<std::string_view, Class::Kind> bases[] = {{"Module", Module},
                                                                  {"NamedTuple", NamedTuple},
                                                                  {"Enum", Enum},
                                                                  {"Interface", Interface},
                                                                  {"ModuleInterface", ModuleInterface}};
    if (!m_tokens.accept("("))
        return Plain;
    const auto *const base =
        std::ranges::find(bases, m_tokens.now().text, &std::pair<std::string_view, Class::Kind>::first);
    if (base == std::end(bases))
        m_tokens.failWanted("one of the bases Module, NamedTuple, Enum, Interface, ModuleInterface");
    m_tokens.take();
    m_tokens.expect(")");
    return base->second;
}

/// Fields may be called like keywords, so what follows a name decides.
void FileParser::classLine(Class &target)
{
    const Token &ahead = m_tokens.ahead();
    if (atKeyword("pass") && ahead.kind == Token::Kind::Newline) {
        m_tokens.take();
        endOfLine();
    } else if (atKeyword("def") && ahead.kind == Token::Kind::Name) {
        target.methods.push_back(function());
    } else if (atKeyword("__annotations__") && (ahead.isSymbol("[") || ahead.isSymbol("="))) {
        annotation(target);
    } else {
        const Token name = m_tokens.expect(Token::Kind::Name, "a field or a method");
        if (m_tokens.accept(":")) {
            Field field{{name.offset}, name.text, m_expressions.type(), {}};
            if (m_tokens.accept("="))
                field.value = m_expressions.expression();
            addField(target, field);
        } else {
            m_tokens.expect("=");
            valueOfName(target, name);
        }
        endOfLine();
    }
}

/// The class's lists of names, or an enum's member.
void FileParser::valueOfName(Class &target, const Token &name)
{
    constexpr std::pair<std::string_view, NameList Class::*> lists[] = {
        {"__parameters__", &Class::parameters},
        {"__buffers__", &Class::buffers},
        {"__forward_pre_hooks__", &Class::forwardPreHooks},
        {"__forward_hooks__", &Class::forwardHooks},
    };
    for (const auto &[text, list] : lists) {
        if (name.text == text) {
            target.*list = nameList();
            return;
        }
    }
    addField(target, {{name.offset}, name.text, {}, m_expressions.expression()});
}

/// `__annotations__ = []` says nothing, `__annotations__["0"] = T` is a field.
void FileParser::annotation(Class &target)
{
    const Position position = m_tokens.position();
    m_tokens.take();
    if (m_tokens.accept("=")) {
        m_tokens.expect("[");
        m_tokens.expect("]");
    } else {
        m_tokens.expect("[");
        const std::string_view name = m_expressions.string();
        m_tokens.expect("]");
        m_tokens.expect("=");
        addField(target, {position, name, m_expressions.type(), {}});
    }
    endOfLine();
}

void FileParser::addField(Class &target, Field field)
{
    if (std::ranges::contains(pythonKeywords, field.name))
        m_file.remarks.push_back(
            {field.position, formatted("the attribute '{}' is called like a keyword", field.name)});
    target.fields.push_back(field);
}

std::vector<std::string_view> FileParser::nameList()
{
    std::vector<std::string_view> names;
    m_tokens.expect("[");
    m_expressions.untilClosed("]", [&] { names.push_back(m_expressions.string()); });
    return names;
}

FunctionId FileParser::function()
{
    Function function;
    function.position = m_tokens.position();
    m_tokens.expectName("def");
    function.name = name("the function's name");
    m_tokens.expect("(");
    m_expressions.untilClosed(")", [&] { function.parameters.push_back(parameter()); });
    if (m_tokens.accept("->"))
        function.result = m_expressions.type();
    function.body = block();
    m_file.tree.functions.push_back(std::move(function));
    return {static_cast<std::uint32_t>(m_file.tree.functions.size() - 1)};
}

Parameter FileParser::parameter()
{
    Parameter parameter;
    parameter.position = m_tokens.position();
    parameter.name = name("a parameter's name");
    if (m_tokens.accept(":"))
        parameter.type = m_expressions.type();
    if (m_tokens.accept("="))
        parameter.value = m_expressions.expression();
    return parameter;
}

Block FileParser::block()
{
    Block block;
    suite([&] { statement(block); });
    return block;
}

void FileParser::statement(Block &block)
{
    if (atKeyword("pass")) {
        m_tokens.take();
        endOfLine();
        return;
    }
    const Position position = m_tokens.position();
    Statement::Kind kind = keywordStatement();
    m_file.tree.statements.push_back({position, std::move(kind)});
    block.push_back({static_cast<std::uint32_t>(m_file.tree.statements.size() - 1)});
}

Statement::Kind FileParser::keywordStatement()
{
    constexpr std::pair<std::string_view, Statement::Kind (FileParser::*)()> keywords[] = {
        {"if", &FileParser::ifStatement},         {"while", &FileParser::whileStatement},
        {"for", &FileParser::forStatement},       {"with", &FileParser::withStatement},
        {"return", &FileParser::returnStatement},
    };
    for (const auto &[keyword, read] : keywords) {
        if (atKeyword(keyword)) {
            m_tokens.take();
            return (this->*read)();
        }
    }
    if (atKeyword("def"))
        return LocalFunction{function()};
    Statement::Kind simple = simpleStatement();
    endOfLine();
    return simple;
}

bool FileParser::expressions(std::vector<ExpressionId> &list)
{
    do {
        list.push_back(m_expressions.expression());
        if (!m_tokens.accept(","))
            return false;
    } while (!m_tokens.isSymbol("=") && !m_tokens.is(Token::Kind::Newline));
    return true;
}

Statement::Kind FileParser::simpleStatement()
{
    const Position position = m_tokens.position();
    std::vector<ExpressionId> list;
    const bool endsInComma = expressions(list);
    if (list.size() == 1 && !endsInComma && !m_tokens.isSymbol("=") && !m_tokens.isSymbol(":"))
        return Evaluate{list.front()};
    checkTargets(list, position);
    return assignment(std::move(list), endsInComma);
}

Statement::Kind FileParser::assignment(std::vector<ExpressionId> targets, bool unpacks)
{
    Assign assign{std::move(targets), {}, {}};
    if (assign.targets.size() == 1 && !unpacks && m_tokens.accept(":"))
        assign.type = m_expressions.type();
    m_tokens.expect("=");
    const Position position = m_tokens.position();
    expressions(assign.values);
    const std::size_t values = assign.values.size();
    if (values != 1 && (unpacks || values != assign.targets.size()))
        m_tokens.fail(formatted("found {} values for {} names", values, assign.targets.size()), position);
    if (unpacks)
        return Unpack{std::move(assign.targets), assign.values.front()};
    return assign;
}

void FileParser::checkTargets(const std::vector<ExpressionId> &targets, Position position)
{
    for (const ExpressionId id : targets) {
        const Expression::Kind &kind = m_file.tree.at(id).kind;
        if (!std::holds_alternative<Name>(kind) && !(targets.size() == 1 && std::holds_alternative<Attribute>(kind)))
            m_tokens.fail("found a value on the left of '=', expected names or one attribute", position);
    }
}

Statement::Kind FileParser::ifStatement()
{
    If statement{m_expressions.expression(), {}, {}};
    statement.then = block();
    if (atKeyword("else")) {
        m_tokens.take();
        statement.orElse = block();
    }
    return statement;
}

Statement::Kind FileParser::whileStatement()
{
    While statement{m_expressions.expression(), {}};
    statement.body = block();
    return statement;
}

Statement::Kind FileParser::forStatement()
{
    For statement{name("the loop's variable"), {}, {}};
    m_tokens.expectName("in");
    m_tokens.expectName("range");
    m_tokens.expect("(");
    statement.count = m_expressions.expression();
    m_tokens.expect(")");
    statement.body = block();
    return statement;
}

Statement::Kind FileParser::withStatement()
{
    With statement{m_expressions.expression(), {}, {}};
    if (atKeyword("as")) {
        m_tokens.take();
        statement.variable = name("the name of what is entered");
    }
    statement.body = block();
    return statement;
}

Statement::Kind FileParser::returnStatement()
{
    Return statement;
    if (!m_tokens.is(Token::Kind::Newline))
        statement.value = m_expressions.expression();
    endOfLine();
    return statement;
}

} // namespace

Result<ParsedFile> parse(std::string_view source)
{
    return resultOf([&] { return FileParser(source).parse(); });
}

Result<ParsedFile> parseType(std::string_view source)
{
    return resultOf([&] { return FileParser(source).parseType(); });
}

} // namespace cutaway::formats::torchscript
