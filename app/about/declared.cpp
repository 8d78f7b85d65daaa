// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/about/declared.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <ranges>

namespace cutaway::about {

namespace {

/// Returns the choices in a type such as "FORM:{ir,fx}": ir and fx.
std::vector<std::string> choicesIn(const std::string &type)
{
    std::vector<std::string> choices;
    const std::size_t begin = type.find(":{");
    if (begin == std::string::npos || type.back() != '}')
        return choices;
    for (const auto choice : std::views::split(std::string_view(type).substr(begin + 2, type.size() - begin - 3), ','))
        choices.emplace_back(std::string_view(choice));
    return choices;
}

/// Returns the name in a type such as "FORM:{ir,fx}", whose allowed values follow the colon. A colon is part of the
/// name only after a bracket, as in FILE[:NAME].
std::string nameIn(const std::string &type)
{
    std::size_t end = type.find(':');
    if (end != std::string::npos && end > 0 && type[end - 1] == '[')
        end = type.find(':', end + 1);
    return type.substr(0, end);
}

DeclaredOption optionOf(const CLI::Option &option)
{
    DeclaredOption result;
    for (const std::string &name : option.get_snames())
        result.names.push_back("-" + name);
    for (const std::string &name : option.get_lnames())
        result.names.push_back("--" + name);
    const bool isArgument = option.get_positional();
    if (isArgument)
        result.names = {option.get_name(true)};
    const std::string type = option.get_type_name();
    if (!isArgument && option.get_items_expected_max() > 0)
        result.value = nameIn(type);
    result.choices = choicesIn(type);
    result.description = option.get_description();
    result.defaultValue = option.get_default_str();
    result.isRequired = option.get_required();
    result.isRepeatable = option.get_expected_max() > 1;
    result.isValueOptional = !isArgument && option.get_items_expected_min() == 0;
    return result;
}

/// Returns what a command declares, without the footer if this is `inherited`, the footer of the program.
DeclaredCommand commandOf(const CLI::App &app, std::vector<std::string> path, const std::string &inherited)
{
    path.push_back(app.get_name());
    DeclaredCommand result;
    result.path = path;
    result.description = app.get_description();
    if (app.get_footer() != inherited)
        result.footer = app.get_footer();
    while (result.description.ends_with('\n'))
        result.description.pop_back();
    for (const CLI::Option *option : app.get_options())
        if (!option->get_group().empty())
            (option->get_positional() ? result.arguments : result.options).push_back(optionOf(*option));
    for (const CLI::App *command : app.get_subcommands([](const CLI::App *) { return true; }))
        if (!command->get_group().empty())
            result.commands.push_back(commandOf(*command, path, path.size() == 1 ? app.get_footer() : inherited));
    return result;
}

} // namespace

DeclaredCommand declared(const CLI::App &program) { return commandOf(program, {}, {}); }

std::string summaryOf(const std::string &description)
{
    std::size_t end = std::min({description.find(": "), description.find("; "), description.find(", for example"),
                                description.find(" ("), description.find(". "), description.find('\n')});
    // A text that begins like "ir: Cutaway's textual form; fx: ..." explains choices, and is kept whole.
    if (end != std::string::npos && description.substr(0, end).find(' ') == std::string::npos)
        end = std::string::npos;
    std::string summary = description.substr(0, end);
    std::ranges::replace(summary, '\n', ' ');
    return summary;
}

} // namespace cutaway::about
