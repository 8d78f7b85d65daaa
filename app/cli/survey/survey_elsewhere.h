// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/commands.h"
#include "core/survey/request.h"

#include <cstdint>
#include <string>
#include <vector>

namespace cutaway::cli {

/// The options of a survey that is carried out by the Python module.
struct SurveyElsewhere {
    std::vector<std::string> paths; ///< files, folders, patterns, URLs
    std::string output;
    survey::Request request;
    std::vector<survey::Profile> profiles;
    std::uint64_t memory = 0; ///< the limit of a worker's memory in bytes; 0 for none
    unsigned jobs = 1;
    bool again = false;
    std::string dask; ///< the address of a Dask scheduler; "": this machine, for models at URLs
};

/// Starts the Python module for a survey on a cluster or of models at URLs; it takes the place of this program. Errors
/// (Backend): Python cannot be started; otherwise the function does not return.
Result<Answer> surveyElsewhere(const SurveyElsewhere &survey);

} // namespace cutaway::cli
