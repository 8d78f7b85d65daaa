// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/tensor/tensor_page.h"

namespace cutaway::views {

class Session;

/// Finds the counterpart of a tensor of the shown model. It is looked for in the compared model or, without one, in the
/// file that passes have changed: the tensor of the same name, else the weight of the same shape that the matching node
/// reads. Returns nothing if there is no such tensor, or if it is the same one.
std::optional<Counterpart> counterpartOf(Session &session, ir::TensorId tensor);

/// Finds the result of the same name in the previous run, to show the effect of a pass or a setting; nothing if none.
std::optional<Counterpart> earlierResult(const Session &session, const TensorPlace &result);

} // namespace cutaway::views
