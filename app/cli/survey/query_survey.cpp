// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/survey/query_survey.h"

#include "app/cli/interruption.h"
#include "core/base/result.h"

namespace cutaway::cli {

Result<Answer> askSurvey(const std::string &file, const survey::Inquiry &inquiry, const survey::Workers &workers,
                         QueryForm form)
{
    CUTAWAY_TRY(const auto database, survey::Database::read(file));
    const Interruption interruption;
    CUTAWAY_TRY(const auto result, survey::ask(database, inquiry, workers, {interruption.token(), {}}));
    const bool isNo = result.found.empty();
    switch (form) {
    case QueryForm::Json:
        return Answer(survey::inquiryJson(file, inquiry, result) + "\n", isNo);
    case QueryForm::Csv:
        return Answer(survey::inquiryCsv(result), isNo);
    case QueryForm::Count:
        return Answer(std::to_string(result.found.size()) + "\n", isNo);
    case QueryForm::Text:
        break;
    }
    return Answer(survey::inquiryText(file, inquiry, result), isNo);
}

} // namespace cutaway::cli
