// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/trace.h"

namespace cutaway::trace {

/// Makes a model of a trace alone: a node for each operator of one iteration, in their order, in the modules that the
/// trace has (with_modules, or calls of modules from Python). No node reads another, as traces do not record that.
/// Gradients are left out. Notes list this, and what the trace lacks. `path`: that of the trace, which becomes the
/// model's.
ir::Model recordedModel(const Trace &trace, std::string path = {});

/// Opens an address that sequence::open() supports, or a trace as its recordedModel(). Errors: those of
/// sequence::open() and of read().
Result<ir::Model> open(const std::string &address, const Task &task = {});

} // namespace cutaway::trace
