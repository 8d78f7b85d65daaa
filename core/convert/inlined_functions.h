// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/task.h"
#include "core/ir/model.h"

namespace cutaway::convert {

/// Returns an ONNX model with the nodes of its functions inlined into the main graph. Errors: a function cannot be
/// inlined (Usage); cancelled.
Result<ir::Model> withoutFunctions(const ir::Model &model, const Task &task);

} // namespace cutaway::convert
