// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/commands.h"
#include "core/survey/inquiry.h"

namespace cutaway::cli {

/// How the models that were found are printed; Count: only how many they are.
enum class QueryForm : std::uint8_t { Text, Json, Csv, Count };

/// Returns the answer of `query --in`: the models of a survey that a query finds; exit code 1 if it finds none. Errors:
/// those of survey::Database::read() and survey::ask().
Result<Answer> askSurvey(const std::string &file, const survey::Inquiry &inquiry, const survey::Workers &workers,
                         QueryForm form);

} // namespace cutaway::cli
