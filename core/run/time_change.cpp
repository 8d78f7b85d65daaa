// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/time_change.h"

#include <array>
#include <utility>

namespace cutaway::run {

std::string_view name(Verdict verdict)
{
    constexpr std::array<std::string_view, 6> names{
        "new", "gone", "slower", "faster", "within the noise", "noise not known"};
    return names[std::to_underlying(verdict)];
}

Verdict TimeChange::verdict() const
{
    if (!before)
        return Verdict::New;
    if (!after)
        return Verdict::Gone;
    if (before->count < fewestForNoise || after->count < fewestForNoise)
        return Verdict::NotKnown;
    return after->p5 > before->p95 ? Verdict::Slower : after->p95 < before->p5 ? Verdict::Faster : Verdict::WithinNoise;
}

std::optional<double> TimeChange::ratio() const
{
    return before && after && before->median > 0 ? std::optional(after->median / before->median) : std::nullopt;
}

double TimeChange::difference() const { return (after ? after->median : 0) - (before ? before->median : 0); }

} // namespace cutaway::run
