// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/about/reference.h"

#include "core/base/text.h"

#include <sstream>

namespace cutaway::about {

namespace {

/// Returns a text in which no character has a meaning for Markdown.
std::string escapedMarkdown(std::string_view text)
{
    std::string result;
    for (const char c : text) {
        if (std::string_view("\\`*_[]<>#|").contains(c))
            result += '\\';
        result += c;
    }
    return result;
}

std::string codeSpan(const std::string &text) { return "`" + text + "`"; }

std::string usageLine(const DeclaredCommand &command)
{
    std::string line = joined(command.path, " ");
    if (!command.options.empty())
        line += " [OPTIONS]";
    for (const DeclaredOption &argument : command.arguments)
        line += argument.isRequired ? " " + argument.names[0] : " [" + argument.names[0] + "]";
    if (!command.commands.empty())
        line += command.arguments.empty() ? " COMMAND" : " [COMMAND]";
    return "```text\n" + line + "\n```\n\n";
}

/// Returns the list item of an option: "`-o`, `--output FILE`: Write it to this file. One of: a, b. Default: a."
std::string optionItem(const DeclaredOption &option)
{
    std::string names;
    for (const std::string &name : option.names)
        names += (names.empty() ? "" : ", ")
            + codeSpan(&name != &option.names.back() || option.isFlag() ? name
                           : option.isValueOptional                     ? name + " [" + option.value + "]"
                                                                        : name + " " + option.value);
    std::string text = "- " + names;
    if (!option.description.empty())
        text += ": " + escapedMarkdown(option.description) + ".";
    if (!option.choices.empty())
        text += " One of: " + codeSpan(joined(option.choices, "`, `")) + ".";
    if (!option.defaultValue.empty())
        text += " Default: " + codeSpan(option.defaultValue) + ".";
    if (option.isRepeatable)
        text += " May be given several times.";
    return text + "\n";
}

/// Returns a footer in Markdown, its indented lines as blocks of text.
std::string footerText(const std::string &footer)
{
    std::istringstream lines(footer);
    std::string text;
    bool isBlock = false;
    for (std::string line; std::getline(lines, line);) {
        const bool isIndented = line.starts_with("  ");
        if (line.empty() && isBlock)
            continue; // the line that ends the block adds a blank line
        if (isIndented != isBlock)
            text += isIndented ? "\n```text\n" : "```\n\n";
        isBlock = isIndented;
        text += isIndented ? line.substr(2) + "\n" : escapedMarkdown(line) + "\n";
    }
    return text.empty() ? "" : text + (isBlock ? "```\n" : "") + "\n";
}

void addCommand(std::string &page, const DeclaredCommand &command)
{
    const bool isProgram = command.path.size() == 1;
    if (!isProgram)
        page += (command.path.size() == 2 ? "## " : "### ") + codeSpan(joined(command.path, " ")) + "\n\n";
    page += escapedMarkdown(command.description) + (command.description.ends_with('.') ? "" : ".") + "\n\n"
        + usageLine(command);
    for (const DeclaredOption &option : command.arguments)
        page += optionItem(option);
    for (const DeclaredOption &option : command.options)
        page += optionItem(option);
    page += "\n" + footerText(command.footer);
    for (const DeclaredCommand &below : command.commands)
        addCommand(page, below);
}

} // namespace

std::string referencePage(const DeclaredCommand &program)
{
    std::string page = "<!-- SPDX-FileCopyrightText: The Cutaway authors -->\n"
                       "<!-- SPDX-License-Identifier: GPL-3.0-or-later -->\n"
                       "<!-- Made of what the program declares; do not edit. -->\n"
                       "# Command line\n\n";
    addCommand(page, program);
    while (page.ends_with("\n\n"))
        page.pop_back();
    return page;
}

} // namespace cutaway::about
