// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/document.h"
#include "core/survey/database/database.h"

#include <map>

namespace cutaway::survey {

/// The changes of models between two surveys: first the models that could be read and cannot any more, then those that
/// grew most. Models are matched by their paths below the common folder of a survey's models.
struct Comparison {
    report::Document document;
    std::size_t broken = 0; ///< the number of models that could be read before, and cannot now
    std::size_t changed = 0, came = 0, went = 0;
};
Comparison compare(const std::vector<Entry> &before, const std::vector<Entry> &after);

/// The path of each model's report, relative to the survey's report, by the model's path.
using ReportLinks = std::map<std::string, std::string>;

/// Returns a report on the models of a survey: states, formats, sizes, operators by use and by where they are missing,
/// failed checks, the largest models, equal graphs.
report::Document zooReport(const std::vector<Entry> &entries, const ReportLinks &links = {});

} // namespace cutaway::survey
