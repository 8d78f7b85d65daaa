// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/passes/blame.h"

#include <string>

namespace cutaway::report {

/// Returns the history of a node, value or module as JSON, schema "cutaway.blame/1". Errors: those of findSubject().
Result<std::string> blameJson(const passes::History &history, const std::string &name);
/// Returns the steps that did something to a node, value or module, for a terminal. Errors: those of findSubject().
Result<std::string> blameText(const passes::History &history, const std::string &name);

} // namespace cutaway::report
