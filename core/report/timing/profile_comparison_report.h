// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/profile_comparison.h"

#include <string>

namespace cutaway::report {

/// Two profiles and their comparison. All of it must outlive the report.
struct ComparedProfiles {
    const run::SavedProfile &a;
    const run::SavedProfile &b;
    const run::ProfileComparison &comparison;
};

/// Returns the document of `profile --compare --json`, schema "cutaway.profile-comparison/1", and the report for a
/// terminal.
std::string profileComparisonJson(const ComparedProfiles &profiles);
std::string profileComparisonText(const ComparedProfiles &profiles);

} // namespace cutaway::report
