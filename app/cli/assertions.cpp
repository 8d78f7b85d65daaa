// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/assertions.h"

#include <CLI/CLI.hpp>

namespace cutaway::cli {

CLI::Option *declareAssertions(CLI::App &command, std::vector<std::string> &assertions, const std::string &figures)
{
    return command
        .add_option("--assert", assertions,
                    "Assertions, exit code 1 if one fails or is not known: 'FIGURE<LIMIT', also <= > >= == !=, with "
                    "commas between; figures: "
                        + figures)
        ->type_name("FIGURE<LIMIT,...")
        ->allow_extra_args(false);
}

Answer held(std::string text, std::vector<std::string> broken, bool isJson)
{
    Answer answer(std::move(text), !broken.empty());
    if (isJson) {
        answer.remarks = std::move(broken);
        return answer;
    }
    for (std::size_t i = 0; i < broken.size(); ++i)
        answer.text += (i == 0 ? "\n" : "") + broken[i] + "\n";
    return answer;
}

} // namespace cutaway::cli
