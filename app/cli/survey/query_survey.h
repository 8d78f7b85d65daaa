// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/commands.h"
#include "core/survey/inquiry.h"

namespace cutaway::cli {

/// The form in which matching models are printed. Count prints only their number.
enum class QueryForm : std::uint8_t { Text, Json, Csv, Count };

/// Returns the answer of `query --in`: the models of a survey that match a query. The answer is "no" if none does.
/// Errors: those of survey::Database::read() and survey::ask().
Result<Answer> askSurvey(const std::string &file, const survey::Inquiry &inquiry, const survey::Workers &workers,
                         QueryForm form);

} // namespace cutaway::cli
