// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/about/completions.h"
#include "core/base/formatted.h"

#include <algorithm>

namespace cutaway::about {

namespace {

/// Returns a text escaped for zsh's _arguments, within single quotes.
std::string specified(std::string_view text)
{
    std::string result;
    for (const char c : text) {
        if (c == '\'')
            result += "'\\''";
        else if (std::string_view("[]:\\").contains(c))
            result += std::string("\\") + c;
        else
            result += c;
    }
    return result;
}

std::string functionName(const DeclaredCommand &command)
{
    std::string name;
    for (const std::string &word : command.path)
        name += "_" + word;
    std::ranges::replace(name, '-', '_');
    return name;
}

std::string valueSpecification(const DeclaredOption &option)
{
    if (option.isFlag())
        return {};
    std::string choices;
    for (const std::string &choice : option.choices)
        choices += (choices.empty() ? "" : " ") + choice;
    const std::string values = !choices.empty() ? "(" + choices + ")"
        : option.takesFolder()                  ? "_files -/"
        : option.takesFile()                    ? "_files"
                                                : " ";
    return formatted("{}{}:{}", option.isValueOptional ? "::" : ":", specified(option.value), values);
}

std::string specification(const DeclaredOption &option)
{
    const std::string rest = formatted("[{}]{}'", specified(summaryOf(option.description)), valueSpecification(option));
    std::string lines;
    for (const std::string &name : option.names)
        lines += formatted(" \\\n        '{}{}{}", option.isRepeatable ? "*" : "", name, rest);
    return lines;
}

void addFunction(std::string &text, const DeclaredCommand &command)
{
    text += formatted("\n{}()\n{{\n    local state\n    _arguments -C", functionName(command));
    for (const DeclaredOption &option : command.options)
        text += specification(option);
    if (command.commands.empty()) {
        text += " \\\n        '*:file:_files'\n}\n";
        return;
    }
    text += " \\\n        '1:command:->command' '*::argument:->argument'\n    case $state in\n"
            "        command) local -a commands=(\n";
    for (const DeclaredCommand &below : command.commands)
        text += formatted("            '{}:{}'\n", specified(below.name()), specified(below.description));
    text += "        )\n            _describe command commands ;;\n        argument) case $words[1] in\n";
    for (const DeclaredCommand &below : command.commands)
        text += formatted("            {}) {} ;;\n", below.name(), functionName(below));
    text += "        esac ;;\n    esac\n}\n";
    for (const DeclaredCommand &below : command.commands)
        addFunction(text, below);
}

} // namespace

std::string zshCompletion(const DeclaredCommand &program)
{
    std::string text = formatted("#compdef {}\n# Made of what the program declares; do not edit.\n", program.name());
    addFunction(text, program);
    return text + formatted("\n{} \"$@\"\n", functionName(program));
}

} // namespace cutaway::about
