// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/passes/history.h"
#include "core/report/document.h"

#include <string>

namespace cutaway::report {

/// What passes did to a model, step by step: JSON, schema "cutaway.passes/1".
std::string stepsJson(const passes::History &history);
/// The same as a table; steps that changed nothing in one line at its end.
std::string stepsText(const passes::History &history);
/// The same as a report; steps that changed nothing in a note.
Document stepsDocument(const passes::History &history);

/// The passes there are and `others`, with their options.
std::string passesJson(std::span<const passes::Pass *const> others = {}); ///< schema "cutaway.pass-list/1"
std::string passesText(std::span<const passes::Pass *const> others = {});

} // namespace cutaway::report
