// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/timing/time_text.h"

#include "core/base/formatted.h"
#include "core/print/figures.h"

namespace cutaway::report {

std::string medianText(const std::optional<protocol::Spread> &time)
{
    return time ? print::secondsText(time->median) : "";
}

std::string ratioText(const run::TimeChange &change)
{
    const auto ratio = change.ratio();
    return ratio ? formatted("{:.2f}", *ratio) : "";
}

} // namespace cutaway::report
