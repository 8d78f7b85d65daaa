// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/ir/model.h"

namespace cutaway::plugin {

/// A model file that another program has made of a model's, as a state of that model: what is called the same is the
/// same, other nodes name as origins those whose results they make. `read` is the file; the state has the context of
/// `before` and can be adopted (adoption.h). Errors (Unreadable): functions besides the main one, weights that cannot
/// be read.
Result<ir::Model> stateOfFile(const ir::Model &before, const ir::Model &read);

} // namespace cutaway::plugin
