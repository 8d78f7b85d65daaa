// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/passes/history.h"
#include "core/report/document.h"

#include <string>

namespace cutaway::report {

/// Returns the steps that passes made from a model as JSON, schema "cutaway.passes/1".
std::string stepsJson(const passes::History &history);
/// Returns the steps that changed something as a table for a terminal, the patterns of their changes, the number of the
/// other steps, and remarks.
std::string stepsText(const passes::History &history);
/// Returns the steps as a report; those that changed nothing are in a note.
Document stepsDocument(const passes::History &history);

/// Returns Cutaway's passes and `others` with their options.
std::string passesJson(std::span<const passes::Pass *const> others = {}); ///< schema "cutaway.pass-list/1"
std::string passesText(std::span<const passes::Pass *const> others = {});

} // namespace cutaway::report
