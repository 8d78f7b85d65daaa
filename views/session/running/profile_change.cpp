// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/session/running/profile_change.h"

#include <unordered_map>

namespace cutaway::views {
namespace {

std::unordered_map<ir::NodeId, const run::SavedPart *> partsOf(const run::SavedProfile &profile)
{
    std::unordered_map<ir::NodeId, const run::SavedPart *> parts;
    for (const run::SavedTime &time : profile.nodes)
        for (const run::SavedPart &part : time.parts)
            parts.emplace(part.id, &part);
    return parts;
}

} // namespace

ProfileChange changeSince(Baseline before, std::shared_ptr<const run::SavedProfile> after, const ir::Graph &file)
{
    run::SameNodes same;
    const auto others = partsOf(*after);
    for (const auto &[id, part] : partsOf(*before.profile)) {
        const auto other = others.find(id);
        if (other != others.end() && (id.index < file.nodeCount() || *other->second == *part))
            same.emplace_back(id, id);
    }
    auto comparison = run::compareProfiles(*before.profile, *after, same);
    return {std::move(before), std::move(after), std::move(comparison)};
}

} // namespace cutaway::views
