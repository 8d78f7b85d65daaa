// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/time_change.h"

#include <string>

namespace cutaway::report {

/// Returns "1.2 ms"; "" for a side without the time.
std::string medianText(const std::optional<protocol::Spread> &time);
/// Returns "1.25" if the time after the change is 1.25 times the time before; "" if one side has no time.
std::string ratioText(const run::TimeChange &change);

} // namespace cutaway::report
