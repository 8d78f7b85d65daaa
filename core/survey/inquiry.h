// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/survey/model_query.h"
#include "core/survey/workers.h"

namespace cutaway::survey {

/// A question to all models of a survey.
struct Inquiry {
    std::string text; ///< the query as it was written
    query::Expression query;
    Request request; ///< whose costs are compared, and with which files are opened
};

/// A model whose file would have to answer, and why it does not.
struct NotAsked {
    std::string path, why;
};

/// The answer of a survey: the models found, and those of which the answer is not known.
struct InquiryResult {
    std::size_t models = 0;   ///< that the survey has
    std::size_t opened = 0;   ///< whose files were asked
    std::vector<Entry> found; ///< by path
    std::size_t notRead = 0;  ///< models that the survey could not read, so the answer is not known
    std::vector<std::pair<query::Property, std::size_t>> notKnown; ///< models, by property
    std::vector<NotAsked> notAsked;
};

/// Asks the database, and the files of those models alone that it does not decide, each in a worker. A file that has
/// changed since the survey is not asked. Errors: of the database; Usage: no model has costs for the request; of
/// surveyAll().
Result<InquiryResult> ask(const Database &database, const Inquiry &inquiry, const Workers &workers, const Task &task);

/// A line with the count, one per model with the figures that the query compares, and what is not known.
std::string inquiryText(const std::string &survey, const Inquiry &inquiry, const InquiryResult &result);
/// The document of `query --in --json`, schema "cutaway.survey_query/1".
std::string inquiryJson(const std::string &survey, const Inquiry &inquiry, const InquiryResult &result);
/// A row per model.
std::string inquiryCsv(const InquiryResult &result);

} // namespace cutaway::survey
