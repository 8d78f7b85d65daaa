// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/about/completions.h"
#include "core/base/formatted.h"

#include <algorithm>

namespace cutaway::about {

namespace {

/// Returns the names of a command's path from `first` on, each after `between`, as a shell name: "_cutaway_cli".
std::string shellName(const DeclaredCommand &command, std::size_t first, std::string_view between)
{
    std::string name;
    for (std::size_t i = first; i < command.path.size(); ++i)
        name += std::string(between) + command.path[i];
    std::ranges::replace(name, '-', '_');
    return name;
}

/// Returns the names of a command after the program's own, as a path: "/passes/run"; "" for the program itself.
std::string place(const DeclaredCommand &command)
{
    std::string place;
    for (std::size_t i = 1; i < command.path.size(); ++i)
        place += "/" + command.path[i];
    return place;
}

std::string wordsOf(const DeclaredCommand &command)
{
    std::string words;
    for (const DeclaredOption &option : command.options)
        for (const std::string &name : option.names)
            words += (words.empty() ? "" : " ") + name;
    return words;
}

void addWays(std::string &text, const DeclaredCommand &command)
{
    for (const DeclaredCommand &below : command.commands) {
        text += formatted("            '{} {}') place={} ;;\n", place(command), below.name(), place(below));
        addWays(text, below);
    }
}

void addValues(std::string &text, const DeclaredCommand &command)
{
    for (const DeclaredOption &option : command.options) {
        if (option.isFlag())
            continue;
        std::string patterns, choices;
        for (const std::string &name : option.names)
            patterns += formatted("{}'{} {}'", patterns.empty() ? "" : "|", place(command), name);
        for (const std::string &choice : option.choices)
            choices += (choices.empty() ? "" : " ") + choice;
        if (option.takesFolder())
            text += formatted("        {}) compopt -o filenames; COMPREPLY=($(compgen -d -- \"$word\")); return ;;\n",
                              patterns);
        else if (!choices.empty())
            text +=
                formatted("        {}) COMPREPLY=($(compgen -W '{}' -- \"$word\")); return ;;\n", patterns, choices);
        else if (!option.isValueOptional)
            text += formatted("        {}) return ;;\n", patterns); // a file, by the shell's own completion
    }
    for (const DeclaredCommand &below : command.commands)
        addValues(text, below);
}

void addWords(std::string &text, const DeclaredCommand &command)
{
    std::string names;
    for (const DeclaredCommand &below : command.commands)
        names += (names.empty() ? "" : " ") + below.name();
    text += formatted("        '{}') options='{}' commands='{}' ;;\n", place(command), wordsOf(command), names);
    for (const DeclaredCommand &below : command.commands)
        addWords(text, below);
}

} // namespace

std::string bashCompletion(const DeclaredCommand &program)
{
    const std::string function = shellName(program, 0, "_");
    std::string text = formatted("# Made of what the program declares; do not edit.\n"
                                 "# shellcheck shell=bash disable=SC2207\n{}()\n{{\n"
                                 "    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}}\n"
                                 "    local place='' each options='' commands=''\n"
                                 "    for each in \"${{COMP_WORDS[@]:1:COMP_CWORD-1}}\"; do\n"
                                 "        case \"$place $each\" in\n",
                                 function);
    if (program.commands.empty())
        text += "            *) ;;\n";
    addWays(text, program);
    text += "        esac\n    done\n    case \"$place $before\" in\n";
    addValues(text, program);
    text += "    esac\n    case $place in\n";
    addWords(text, program);
    text += formatted("    esac\n"
                      "    if [[ $word == -* ]]; then COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
                      "    elif [[ -n $commands ]]; then COMPREPLY=($(compgen -W \"$commands\" -- \"$word\"))\n"
                      "    fi\n}}\ncomplete -o bashdefault -o default -F {} {}\n",
                      function, program.name());
    return text;
}

} // namespace cutaway::about
