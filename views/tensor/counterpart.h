// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/tensor/tensor_page.h"

namespace cutaway::views {

class Session;

/// Finds the counterpart of a tensor of the shown model in the model that it is compared with, else in the file that
/// passes changed: the tensor of its name; without one, the weight of its shape that the matched node reads. Nothing if
/// there is no such tensor, or it is the same one.
std::optional<Counterpart> counterpartOf(Session &session, ir::TensorId tensor);

/// Finds the result of this name of the previous run, so that the effect of a pass or a setting is seen in the numbers.
std::optional<Counterpart> earlierResult(const Session &session, const TensorPlace &result);

} // namespace cutaway::views
