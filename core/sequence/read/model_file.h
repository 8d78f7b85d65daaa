// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/task.h"
#include "core/sequence/outline.h"

#include <string>

namespace cutaway::sequence {

/// Returns the outline of a model's first function. Opens the file for it. Errors: those of opening a model.
Result<Outline> outlineOfModel(const std::string &path, const Task &task);

} // namespace cutaway::sequence
