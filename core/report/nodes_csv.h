// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/material.h"

namespace cutaway::report {

/// Returns a row per node, those in regions included, with a header. Figures are plain numbers in FLOP, bytes and
/// seconds, or formulas; unknown ones are empty.
std::string nodesCsv(const Material &material);

} // namespace cutaway::report
