// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/time_change.h"

#include <string>

namespace cutaway::report {

std::string medianText(const std::optional<protocol::Spread> &time); ///< "1.2 ms"; "" of a side without the time
std::string ratioText(const run::TimeChange &change); ///< "1.25" times as long after; "" where one side lacks it

} // namespace cutaway::report
