// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/ir/model.h"

namespace cutaway::plugin {

/// Turns a model file that another program made from `before` into a state of `before` that adopt() (adoption.h)
/// accepts: nodes and values of equal names are the same, and new nodes name as origins the nodes whose results they
/// produce. `read` is the parsed file; the result has the context of `before`, and its other functions. Errors
/// (Unreadable): the file has functions besides the main one, weights that cannot be read.
Result<ir::Model> stateOfFile(const ir::Model &before, const ir::Model &read);

} // namespace cutaway::plugin
