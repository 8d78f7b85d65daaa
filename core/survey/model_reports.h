// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/survey/database/database.h"
#include "core/survey/workers.h"

#include <map>

namespace cutaway::survey {

/// The names of the reports' files, by the path of the model.
using ReportNames = std::map<std::string, std::string>;

/// Makes the folder and writes into it the report of each model that was read, each in a process of its own. A model
/// whose report fails has no name. `workers.command`: the command that writes a report, without file and output. Errors
/// (Backend): the folder cannot be made; Cancelled.
Result<ReportNames> writeModelReports(const std::vector<Entry> &entries, const std::filesystem::path &folder,
                                      const Workers &workers, const Task &task);

} // namespace cutaway::survey
