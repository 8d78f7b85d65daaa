// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json_writer.h"
#include "core/diff/steps/step_patterns.h"

namespace cutaway::report {

/// Writes the member "patterns" of a step: its changes, most frequent first.
void writePatterns(JsonWriter &out, std::span<const diff::StepPattern> patterns);

} // namespace cutaway::report
