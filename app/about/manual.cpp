// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/about/manual.h"

#include "core/base/formatted.h"

#include <algorithm>
#include <ranges>
#include <sstream>

namespace cutaway::about {

namespace {

/// Returns a text in which no character has a meaning for troff.
std::string verbatim(std::string_view text)
{
    std::string result;
    for (const char c : text) {
        if (c == '\\')
            result += "\\e";
        else if (c == '-')
            result += "\\-";
        else if (c == '\'')
            result += "\\(aq";
        else if (c == '^')
            result += "\\(ha";
        else if (c == '~')
            result += "\\(ti";
        else if (c == '`')
            result += "\\(ga";
        else
            result += c;
    }
    return result.starts_with('.') ? "\\&" + result : result;
}

std::string joined(const std::vector<std::string> &words, std::string_view between)
{
    std::string text;
    for (const std::string &word : words)
        text += (text.empty() ? std::string() : std::string(between)) + word;
    return text;
}

std::string bold(const std::string &text) { return "\\fB" + verbatim(text) + "\\fR"; }
std::string italic(const std::string &text) { return "\\fI" + verbatim(text) + "\\fR"; }

std::string upperCase(std::string text)
{
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::toupper(c); });
    return text;
}

void addOption(std::string &page, const DeclaredOption &option)
{
    std::string names;
    for (const std::string &name : option.names)
        names += (names.empty() ? "" : ", ") + (name.starts_with('-') ? bold(name) : italic(name));
    if (!option.isFlag())
        names += option.isValueOptional ? " [" + italic(option.value) + "]" : " " + italic(option.value);
    page += ".TP\n" + names + "\n" + verbatim(option.description.empty() ? option.names.back() : option.description);
    if (!option.choices.empty())
        page += "\n.br\nOne of: " + verbatim(joined(option.choices, ", ")) + ".";
    if (!option.defaultValue.empty())
        page += "\n.br\nDefault: " + verbatim(option.defaultValue) + ".";
    if (option.isRepeatable)
        page += "\n.br\nMay be given several times.";
    page += "\n";
}

std::string synopsis(const DeclaredCommand &command)
{
    std::string line = bold(joined(command.path, " "));
    if (!command.options.empty())
        line += " [" + italic("OPTIONS") + "]";
    for (const DeclaredOption &argument : command.arguments)
        line += argument.isRequired ? " " + italic(argument.names[0]) : " [" + italic(argument.names[0]) + "]";
    if (!command.commands.empty() && command.arguments.empty())
        line += " " + italic("COMMAND");
    return line + "\n";
}

/// Adds a footer: lines that end with a colon become headings, and indented lines keep their form.
void addFooter(std::string &page, const std::string &footer)
{
    std::istringstream lines(footer);
    bool isExample = false;
    for (std::string line; std::getline(lines, line);) {
        const bool indented = line.starts_with("  ");
        if (indented != isExample)
            page += indented ? ".PP\n.nf\n" : ".fi\n";
        isExample = indented;
        if (line.empty())
            page += ".PP\n";
        else
            page += verbatim(line) + "\n";
    }
    if (isExample)
        page += ".fi\n";
}

void addParts(std::string &page, const DeclaredCommand &command, std::string_view heading)
{
    const auto part = [&](std::string_view title) { page += formatted("{} {}\n", heading, title); };
    if (!command.arguments.empty())
        part(heading == ".SH" ? "ARGUMENTS" : "Arguments");
    for (const DeclaredOption &argument : command.arguments)
        addOption(page, argument);
    if (!command.options.empty())
        part(heading == ".SH" ? "OPTIONS" : "Options");
    for (const DeclaredOption &option : command.options)
        addOption(page, option);
}

void addCommandsBelow(std::string &page, const DeclaredCommand &command)
{
    for (const DeclaredCommand &below : command.commands) {
        page += ".SH " + upperCase(verbatim("\"" + joined(below.path, " ") + "\"")) + "\n" + synopsis(below) + ".PP\n"
            + verbatim(below.description) + ".\n";
        addParts(page, below, ".SS");
        if (!below.footer.empty())
            page += ".SS More\n";
        addFooter(page, below.footer);
    }
}

/// Adds the names of the commands and of their own manual pages to a program's page.
void addPages(std::string &page, const DeclaredCommand &command)
{
    page += ".SH COMMANDS\n";
    for (const DeclaredCommand &below : command.commands)
        page += ".TP\n" + bold(below.name()) + "\n" + verbatim(below.description) + ". See "
            + bold(joined(below.path, "-")) + "(1).\n";
}

} // namespace

std::string manualPage(const DeclaredCommand &command, std::string_view version, std::string_view date)
{
    const bool isProgram = command.path.size() == 1;
    const std::string name = joined(command.path, "-");
    std::string page =
        formatted(".\\\" Made of what the program declares; do not edit.\n"
                  ".TH {} 1 {} \"Cutaway {}\" \"Cutaway\"\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n",
                  upperCase(verbatim(name)), date, version, verbatim(name), verbatim(summaryOf(command.description)));
    page += synopsis(command) + ".SH DESCRIPTION\n" + verbatim(command.description)
        + (command.description.ends_with('.') ? "\n" : ".\n");
    addParts(page, command, ".SH");
    if (isProgram && !command.commands.empty())
        addPages(page, command);
    else
        addCommandsBelow(page, command);
    if (!command.footer.empty())
        page += ".SH MORE\n";
    addFooter(page, command.footer);
    page += ".SH SEE ALSO\n";
    page += isProgram ? (name == "cutaway" ? bold("cutaway-cli") : bold("cutaway")) + "(1)\n"
                      : bold(command.path.front()) + "(1), " + bold("cutaway") + "(1)\n";
    return page;
}

} // namespace cutaway::about
