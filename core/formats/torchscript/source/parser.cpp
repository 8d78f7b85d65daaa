// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/torchscript/source/parser.h"

#include "core/base/formatted.h"
#include "core/base/text.h"
#include "core/formats/torchscript/source/expression_parser.h"
#include "core/formats/unusable.h"

#include <algorithm>

namespace cutaway::formats::torchscript {

using python::Token;

namespace {

using NameList = std::optional<std::vector<std::string_view>>;

class FileParser final : public ExpressionParser {
public:
    FileParser(python::TokenStream &tokens, ParsedFile &file) : ExpressionParser(tokens, file) { }

    void parse()
    {
        while (!m_tokens.is(Token::Kind::End)) {
            if (m_tokens.is("class"))
                m_file.tree.definitions.emplace_back(classDefinition());
            else if (m_tokens.is("def"))
                m_file.tree.definitions.emplace_back(function());
            else
                m_tokens.failWanted("'class' or 'def'");
        }
    }

    void parseType()
    {
        type();
        m_tokens.accept(Token::Kind::Newline);
        if (!m_tokens.is(Token::Kind::End))
            m_tokens.failWanted("nothing after the type");
    }

private:
    ClassId classDefinition();
    Class::Kind classKind();
    void classLine(Class &target);
    void valueOfName(Class &target, const Token &name);
    void annotation(Class &target);
    void addField(Class &target, Field field);
    std::vector<std::string_view> nameList();

    Parameter parameter() override;
    void check(const Statement &statement) const override;
    void checkAssignment(const Assign &assign, Position position) const;
};

ClassId FileParser::classDefinition()
{
    Class definition;
    definition.position = m_tokens.position();
    m_tokens.expect("class");
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

/// Reads a line of a class. Fields may have the names of keywords, so the token after the name decides.
void FileParser::classLine(Class &target)
{
    const Token &ahead = m_tokens.ahead();
    if (m_tokens.is("pass") && ahead.kind == Token::Kind::Newline) {
        m_tokens.take();
        m_tokens.expectEndOfLine();
    } else if (m_tokens.is("def") && ahead.kind == Token::Kind::Name) {
        target.methods.push_back(function());
    } else if (m_tokens.is("__annotations__") && (ahead.is("[") || ahead.is("="))) {
        annotation(target);
    } else {
        const Token name = m_tokens.expect(Token::Kind::Name, "a field or a method");
        if (m_tokens.accept(":")) {
            Field field{{name.offset}, name.text, type(), {}};
            if (m_tokens.accept("="))
                field.value = expression();
            addField(target, field);
        } else {
            m_tokens.expect("=");
            valueOfName(target, name);
        }
        m_tokens.expectEndOfLine();
    }
}

/// Reads the assignment of a value: one of the class's lists of names, or an enum's member.
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
    addField(target, {{name.offset}, name.text, {}, expression()});
}

/// Reads `__annotations__ = []`, which has no meaning, or `__annotations__["0"] = T`, which is a field.
void FileParser::annotation(Class &target)
{
    const Position position = m_tokens.position();
    m_tokens.take();
    if (m_tokens.accept("=")) {
        m_tokens.expect("[");
        m_tokens.expect("]");
    } else {
        m_tokens.expect("[");
        const std::string_view name = string();
        m_tokens.expect("]");
        m_tokens.expect("=");
        addField(target, {position, name, type(), {}});
    }
    m_tokens.expectEndOfLine();
}

void FileParser::addField(Class &target, Field field)
{
    if (python::isKeyword(field.name))
        m_file.remarks.push_back(
            {field.position, formatted("the attribute '{}' is called like a keyword", field.name)});
    target.fields.push_back(field);
}

std::vector<std::string_view> FileParser::nameList()
{
    std::vector<std::string_view> names;
    m_tokens.expect("[");
    m_tokens.untilClosed("]", [&] { names.push_back(string()); });
    return names;
}

Parameter FileParser::parameter()
{
    if (!m_tokens.is(Token::Kind::Name)) // no parameter has stars
        m_tokens.failWanted("a parameter's name");
    return python::Parser::parameter();
}

void FileParser::check(const Statement &statement) const
{
    if (const auto *assign = std::get_if<Assign>(&statement.kind))
        checkAssignment(*assign, statement.position);
    else if (const auto *augment = std::get_if<Augment>(&statement.kind))
        m_tokens.fail(formatted("found '{}=', expected '='", augment->op), statement.position);
    else if (const auto *loop = std::get_if<For>(&statement.kind); loop && !countOf(m_file.tree, *loop))
        m_tokens.fail(formatted("found '{}', expected 'range'", sanitized(m_tree.textOf(loop->items).substr(0, 40))),
                      m_tree.at(loop->items).position);
}

void FileParser::checkAssignment(const Assign &assign, Position position) const
{
    if (!assign.value) {
        const Expression &type = m_tree.at(*assign.type);
        m_tokens.fail("found the end of the line, expected '='", {type.position.offset + type.length});
    }
    const Expression &value = m_tree.at(*assign.value);
    if (assign.targets.size() > 1)
        m_tokens.fail("found a value for several names", value.position);
    const Targets targets = targetsOf(m_file.tree, assign);
    bool areNames = !targets.names.empty();
    for (const ExpressionId id : targets.names) {
        const Expression::Kind &kind = m_tree.at(id).kind;
        const bool isAttribute = targets.names.size() == 1 && std::holds_alternative<Attribute>(kind);
        areNames = areNames && (isAttribute || std::holds_alternative<Name>(kind));
    }
    if (!areNames)
        m_tokens.fail("found a value on the left of '=', expected names or one attribute", position);
    if (targets.values.size() != 1 && targets.values.size() != targets.names.size())
        m_tokens.fail(formatted("found {} values for {} names", targets.values.size(), targets.names.size()),
                      value.position);
}

/// Returns the file that `read` parses from the source.
template <class Read>
Result<ParsedFile> parsed(std::string_view source, Read read)
{
    return resultOf([&] {
        ParsedFile file;
        file.tree.source = source;
        python::TokenStream tokens(source);
        FileParser parser(tokens, file);
        (parser.*read)();
        return file;
    });
}

} // namespace

Result<ParsedFile> parse(std::string_view source) { return parsed(source, &FileParser::parse); }

Result<ParsedFile> parseType(std::string_view source) { return parsed(source, &FileParser::parseType); }

} // namespace cutaway::formats::torchscript
