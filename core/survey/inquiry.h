// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/survey/model_query.h"
#include "core/survey/workers.h"

namespace cutaway::survey {

/// A question to all models of a survey.
struct Inquiry {
    std::string text; ///< the query as the user wrote it
    query::Expression query;
    Request request; ///< the request whose costs are compared, and with which files are opened
};

/// A model whose file is needed for the answer, and why it was not asked.
struct NotAsked {
    std::string path, why;
};

/// The answer of a survey: the models that were found, and those for which the answer is not known.
struct InquiryResult {
    std::size_t models = 0;   ///< the number of models in the survey
    std::size_t opened = 0;   ///< the number of models whose files were searched
    std::vector<Entry> found; ///< the models that were found, sorted by path
    std::size_t notRead = 0;  ///< the number of models that the survey could not read, so that the answer is not known
    std::vector<std::pair<query::Property, std::size_t>> notKnown; ///< by property: for how many models it is not known
    std::vector<NotAsked> notAsked;
};

/// Asks the database. If it does not decide for a model, asks the model's file in a worker. A file that has changed
/// since the survey is not asked. Errors: those of the database; Usage: no model has costs for the request; those of
/// surveyAll().
Result<InquiryResult> ask(const Database &database, const Inquiry &inquiry, const Workers &workers, const Task &task);

/// Returns a line with the number of models found, a line per model with the figures that the query compares, and lines
/// on what is not known.
std::string inquiryText(const std::string &survey, const Inquiry &inquiry, const InquiryResult &result);
/// Returns the document of `query --in --json`, schema "cutaway.survey_query/1".
std::string inquiryJson(const std::string &survey, const Inquiry &inquiry, const InquiryResult &result);
/// Returns a table with a row per model.
std::string inquiryCsv(const InquiryResult &result);

} // namespace cutaway::survey
