// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace cutaway::about {

/// An option or an argument of a command, as it is declared.
struct DeclaredOption {
    std::vector<std::string> names; ///< "-o", "--output"; for an argument only its name, "FILE"
    std::string value;              ///< the name of an option's value: "FILE"; empty for flags and arguments
    std::vector<std::string> choices;
    std::string description;
    std::string defaultValue;
    bool isRequired = false;
    bool isRepeatable = false;
    bool isValueOptional = false;

    bool isFlag() const { return value.empty(); }
    bool takesFile() const
    {
        return choices.empty() && (value == "FILE" || value.starts_with("FILE[") || value == "SAVED" || value == "A B");
    }
    bool takesFolder() const { return value == "FOLDER"; }
};

/// A program, or one of its commands.
struct DeclaredCommand {
    std::vector<std::string> path; ///< "cutaway-cli", "passes", "run"
    std::string description, footer;
    std::vector<DeclaredOption> arguments, options;
    std::vector<DeclaredCommand> commands;

    const std::string &name() const { return path.back(); }
};

/// Returns the commands, options and arguments that `program` declares, without the hidden ones (group "").
DeclaredCommand declared(const CLI::App &program);

/// Returns the beginning of a description that says what something is, without details.
std::string summaryOf(const std::string &description);

} // namespace cutaway::about
