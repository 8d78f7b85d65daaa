// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/torchscript/source/printer.h"

#include "core/base/formatted.h"
#include "core/formats/python/lexer.h"
#include "core/formats/python/printer.h"
#include "core/formats/python/string_literal.h"

namespace cutaway::formats::torchscript {

namespace {

void addNames(std::string &text, std::string_view key, const std::optional<std::vector<std::string_view>> &names)
{
    if (!names)
        return;
    text += formatted("  {} = [", key);
    for (const std::string_view name : *names)
        text += encodeString(name) + ", ";
    text += "]\n";
}

void addField(std::string &text, const Tree &tree, const Field &field, bool isFirst)
{
    const bool isWord = isIdentifier(field.name);
    if (!isWord && isFirst)
        text += "  __annotations__ = []\n";
    text += "  " + (isWord ? std::string(field.name) : "__annotations__[" + encodeString(field.name) + "]");
    if (field.type)
        text += (isWord ? " : " : " = ") + print(tree, *field.type);
    if (field.value)
        text += " = " + print(tree, *field.value);
    text += '\n';
}

} // namespace

std::string print(const Tree &tree, ClassId id)
{
    constexpr std::string_view bases[] = {"", "(Module)", "(NamedTuple)", "(Enum)", "(Interface)", "(ModuleInterface)"};
    const Class &definition = tree.at(id);
    std::string body;
    addNames(body, "__parameters__", definition.parameters);
    addNames(body, "__buffers__", definition.buffers);
    addNames(body, "__forward_pre_hooks__", definition.forwardPreHooks);
    addNames(body, "__forward_hooks__", definition.forwardHooks);
    for (std::size_t i = 0; i < definition.fields.size(); ++i)
        addField(body, tree, definition.fields[i], i == 0);
    for (const FunctionId method : definition.methods)
        body += print(tree, method, 1);
    return formatted("class {}{}:\n", definition.name, bases[static_cast<std::size_t>(definition.kind)])
        + (body.empty() ? "  pass\n" : body);
}

std::string print(const Tree &tree)
{
    std::string text;
    for (const auto &definition : tree.definitions)
        text += std::visit([&](auto id) { return print(tree, id); }, definition);
    return text;
}

} // namespace cutaway::formats::torchscript
