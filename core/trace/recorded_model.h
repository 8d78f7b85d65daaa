// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/trace.h"

namespace cutaway::trace {

/// Makes a model of what a trace alone tells of it: a node for each operator of one iteration, in their order, in the
/// modules that the trace has (with_modules, or calls of modules from Python). No node reads another: traces do not
/// tell. Gradients are left out. Notes say so, and what the trace lacks. `path`: of the trace, which becomes the
/// model's.
ir::Model recordedModel(const Trace &trace, std::string path = {});

/// Opens what a user names as sequence::open() does; a trace as its recordedModel(). Errors: theirs, and those of
/// read().
Result<ir::Model> open(const std::string &address, const Task &task = {});

} // namespace cutaway::trace
