// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/profile/profile_comparison.h"

#include "app/cli/opened.h"
#include "core/base/result.h"
#include "core/report/timing/profile_comparison_report.h"
#include "core/request/given.h"
#include "core/run/reopened.h"

namespace cutaway::cli {

namespace {

struct ProfiledModel {
    run::SavedProfile saved;
    Opened opened;
    analysis::Analysis analysis;

    diff::Side forDiff() const { return {opened.model, analysis}; }
};

/// Opens a model with the input sizes that it was profiled with.
Result<ProfiledModel> readProfiled(const std::string &path, const ProfilePair &pair, run::SavedProfile saved)
{
    CUTAWAY_TRY(auto opened, openModel(path, pair.function));
    CUTAWAY_RETURN_IF_ERROR(run::reopen(saved, opened.model, opened.function));
    CUTAWAY_TRY(auto given, request::readGiven(opened.model, opened.function, {}, run::inputTexts(saved)));
    auto analysis = analysis::analyse(opened.model, opened.function, std::move(given));
    return ProfiledModel{std::move(saved), std::move(opened), std::move(analysis)};
}

Result<run::SameNodes> matched(const ProfilePair &pair, const run::SavedProfile &a, const run::SavedProfile &b)
{
    if (pair.models.empty())
        return withSubject(pair.profiles.back(), run::sameIds(a, b));
    CUTAWAY_TRY(const auto before, withSubject(pair.models.front(), readProfiled(pair.models.front(), pair, a)));
    CUTAWAY_TRY(const auto after, withSubject(pair.models.back(), readProfiled(pair.models.back(), pair, b)));
    return run::sameNodes(diff::compare(before.forDiff(), after.forDiff()));
}

} // namespace

Result<Answer> compareProfiles(const ProfilePair &pair)
{
    CUTAWAY_TRY(const auto a, withSubject(pair.profiles.front(), run::readProfile(pair.profiles.front())));
    CUTAWAY_TRY(const auto b, withSubject(pair.profiles.back(), run::readProfile(pair.profiles.back())));
    CUTAWAY_TRY(const auto same, matched(pair, a, b));
    const run::ProfileComparison comparison = run::compareProfiles(a, b, same);
    const report::ComparedProfiles compared{a, b, comparison};
    return Answer(pair.json ? report::profileComparisonJson(compared) + "\n" : report::profileComparisonText(compared),
                  comparison.whole.verdict() == run::Verdict::Slower);
}

} // namespace cutaway::cli
