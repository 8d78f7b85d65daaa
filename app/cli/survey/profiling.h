// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/survey/database/database.h"
#include "core/survey/workers.h"

namespace cutaway::cli {

/// Takes the profiles of those models that the survey has read, one after the other with nothing beside them, and puts
/// them into it; what was taken before, of this version of a file, is not taken again unless `again`. Gives lines for
/// the summary: "  torch  measured 10, refused 2". Errors: of surveyAll().
Result<std::string> takeProfiles(const std::vector<survey::FileVersion> &models,
                                 const std::vector<survey::Profile> &profiles, const survey::Request &request,
                                 bool again, survey::Workers workers, survey::Database &database, const Task &task);

} // namespace cutaway::cli
