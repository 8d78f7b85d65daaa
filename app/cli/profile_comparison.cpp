// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/profile_comparison.h"

#include "app/cli/opened.h"
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

Result<run::SavedProfile> read(std::string &file, const std::string &path)
{
    file = path;
    return run::readProfile(path);
}

/// The model with the input sizes that it was profiled with.
Result<ProfiledModel> readProfiled(std::string &file, const std::string &path, const ProfilePair &pair,
                                   run::SavedProfile saved)
{
    file = path;
    auto opened = openModel(path, pair.function);
    if (!opened)
        return std::unexpected(opened.error());
    if (const auto fits = run::reopen(saved, opened->model, opened->function); !fits)
        return std::unexpected(fits.error());
    auto given = request::readGiven(opened->model, opened->function, {}, run::inputTexts(saved));
    if (!given)
        return std::unexpected(given.error());
    auto analysis = analysis::analyse(opened->model, opened->function, std::move(*given));
    return ProfiledModel{std::move(saved), std::move(*opened), std::move(analysis)};
}

Result<run::SameNodes> matched(std::string &file, const ProfilePair &pair, const run::SavedProfile &a,
                               const run::SavedProfile &b)
{
    if (pair.models.empty())
        return run::sameIds(a, b);
    const auto before = readProfiled(file, pair.models.front(), pair, a);
    if (!before)
        return std::unexpected(before.error());
    const auto after = readProfiled(file, pair.models.back(), pair, b);
    if (!after)
        return std::unexpected(after.error());
    return run::sameNodes(diff::compare(before->forDiff(), after->forDiff()));
}

} // namespace

Result<Answer> compareProfiles(std::string &file, const ProfilePair &pair)
{
    const auto a = read(file, pair.profiles.front());
    if (!a)
        return std::unexpected(a.error());
    const auto b = read(file, pair.profiles.back());
    if (!b)
        return std::unexpected(b.error());
    const auto same = matched(file, pair, *a, *b);
    if (!same)
        return std::unexpected(same.error());
    const run::ProfileComparison comparison = run::compareProfiles(*a, *b, *same);
    const report::ComparedProfiles compared{*a, *b, comparison};
    const bool isSlower = comparison.whole.isBeyondNoise() && comparison.whole.ratio().value_or(1) > 1;
    return Answer(pair.json ? report::profileComparisonJson(compared) + "\n" : report::profileComparisonText(compared),
                  isSlower);
}

} // namespace cutaway::cli
