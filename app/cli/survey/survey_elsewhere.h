// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/commands.h"
#include "core/survey/record.h"

namespace cutaway::cli {

/// The options of a survey that the Python module makes.
struct SurveyElsewhere {
    std::vector<std::string> paths; ///< files, folders, patterns, URLs
    std::string output;
    survey::Request request;
    std::vector<survey::Profile> profiles;
    std::uint64_t memory = 0; ///< 0: no limit
    unsigned jobs = 1;
    bool again = false;
    std::string dask; ///< "": here, of models at URLs
};

/// A survey on a cluster or of models at URLs is the Python module's: it takes the place of this program. Errors
/// (Backend): Python cannot be started; otherwise the function does not return.
Result<Answer> surveyElsewhere(const SurveyElsewhere &survey);

} // namespace cutaway::cli
