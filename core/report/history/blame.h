// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/passes/blame.h"

#include <string>

namespace cutaway::report {

/// A node, value or module in all states of a history: JSON, schema "cutaway.blame/1". Errors: as findSubject().
Result<std::string> blameJson(const passes::History &history, const std::string &name);
/// The steps that did something to it, for a terminal. Errors: as findSubject().
Result<std::string> blameText(const passes::History &history, const std::string &name);

} // namespace cutaway::report
