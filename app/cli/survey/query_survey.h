// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/commands.h"
#include "core/survey/inquiry.h"

namespace cutaway::cli {

enum class QueryForm : std::uint8_t { Text, Json, Csv, Count };

/// What `query --in` answers: the models of a survey that are what a query asks for; exit code 1: there are none.
Result<Answer> askSurvey(const std::string &file, const survey::Inquiry &inquiry, const survey::Workers &workers,
                         QueryForm form);

} // namespace cutaway::cli
