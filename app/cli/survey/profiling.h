// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/survey/database/database.h"
#include "core/survey/workers.h"

namespace cutaway::cli {

/// Profiles those of the models that the survey has read, one after the other and with no other work beside them, and
/// adds the profiles to the survey. A version of a file that was profiled before is left out unless `again`. Returns
/// lines for the summary: "  torch  measured 10, refused 2". Errors: those of surveyAll().
Result<std::string> takeProfiles(const std::vector<survey::FileVersion> &models,
                                 const std::vector<survey::Profile> &profiles, const survey::Request &request,
                                 bool again, survey::Workers workers, survey::Database &database, const Task &task);

} // namespace cutaway::cli
