// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/task.h"
#include "core/ir/model.h"

namespace cutaway::convert {

/// An ONNX model with the nodes of its functions in the main graph. Errors (Usage): some cannot be inlined.
Result<ir::Model> withoutFunctions(const ir::Model &model, const Task &task);

} // namespace cutaway::convert
