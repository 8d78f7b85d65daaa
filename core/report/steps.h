// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/passes/history.h"
#include "core/report/document.h"

#include <string>

namespace cutaway::report {

/// The steps that passes made from a model: JSON, schema "cutaway.passes/1".
std::string stepsJson(const passes::History &history);
/// The steps as a table for a terminal; those that changed nothing are listed in one line at its end.
std::string stepsText(const passes::History &history);
/// The steps as a report; those that changed nothing are listed in a note.
Document stepsDocument(const passes::History &history);

/// Cutaway's passes and `others`, with their options.
std::string passesJson(std::span<const passes::Pass *const> others = {}); ///< schema "cutaway.pass-list/1"
std::string passesText(std::span<const passes::Pass *const> others = {});

} // namespace cutaway::report
