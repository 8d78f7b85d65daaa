// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/report/document.h"
#include "core/report/step_pictures.h"
#include "core/sequence/sequence.h"

namespace cutaway::report {

/// Returns a report on the graphs that other compilers wrote: the compilations, and for each its steps, why it was
/// compiled again, breaks, kernels, saved values, sizes, guards and times. Reads all graphs.
Document sequencesDocument(const sequence::Document &document);

/// Returns sections with a picture and the changed nodes of each step that changed something, for all compilations in
/// their order, except for those whose graphs cannot be read. Errors: those of drawSteps().
Result<std::vector<DrawnStep>> drawSequences(const sequence::Document &document, const Task &task = {});

} // namespace cutaway::report
