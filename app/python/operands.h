// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/python/graph.h"

namespace cutaway::python {

/// Returns an argument of a node: a Value, Weight, number, str, None, or a list, tuple or dict of these. Dtypes,
/// devices and the like are given by their names.
nb::object objectOf(const SharedFunction &state, const ir::Operand &operand);

} // namespace cutaway::python
