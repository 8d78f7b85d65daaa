// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/about/completions.h"
#include "core/base/formatted.h"

namespace cutaway::about {

namespace {

std::string inFishQuotes(std::string_view text)
{
    std::string result = "'";
    for (const char c : text)
        result += c == '\'' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    return result + "'";
}

/// Returns the condition for offering a command's options: after its name, and before that of a command below it.
std::string condition(const DeclaredCommand &command)
{
    std::string condition;
    for (std::size_t i = 1; i < command.path.size(); ++i)
        condition += (i > 1 ? "; and " : "") + std::string("__fish_seen_subcommand_from ") + command.path[i];
    std::string below;
    for (const DeclaredCommand &each : command.commands)
        below += " " + each.name();
    if (!below.empty())
        condition += (condition.empty() ? "" : "; and ") + ("not __fish_seen_subcommand_from" + below);
    return condition.empty() ? "" : " -n " + inFishQuotes(condition);
}

std::string line(const std::string &program, const std::string &condition, const DeclaredOption &option)
{
    std::string text = "complete -c " + program + condition;
    for (const std::string &name : option.names)
        text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    std::string choices;
    for (const std::string &choice : option.choices)
        choices += (choices.empty() ? "" : " ") + choice;
    if (!choices.empty())
        text += " -x -a " + inFishQuotes(choices);
    else if (option.takesFolder())
        text += " -x -a '(__fish_complete_directories)'";
    else if (option.takesFile())
        text += " -r -F";
    else if (!option.isFlag() && !option.isValueOptional)
        text += " -x";
    return text + " -d " + inFishQuotes(summaryOf(option.description)) + "\n";
}

void addLines(std::string &text, const std::string &program, const DeclaredCommand &command)
{
    const std::string when = condition(command);
    for (const DeclaredCommand &below : command.commands)
        text += formatted("complete -c {}{} -f -a {} -d {}\n", program, when, below.name(),
                          inFishQuotes(below.description));
    for (const DeclaredOption &option : command.options)
        text += line(program, when, option);
    for (const DeclaredCommand &below : command.commands)
        addLines(text, program, below);
}

} // namespace

std::string fishCompletion(const DeclaredCommand &program)
{
    std::string text = "# Made of what the program declares; do not edit.\n";
    addLines(text, program.name(), program);
    return text;
}

} // namespace cutaway::about
