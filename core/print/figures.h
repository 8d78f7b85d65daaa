// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/quantity.h"
#include "core/ir/dim.h"

#include <optional>
#include <string>

namespace cutaway::print {

using cutaway::secondsText;
using cutaway::withUnit;

/// Returns a number of FLOPs with its unit; a formula unchanged; "?" if unknown.
std::string flopText(const ir::Dim &flops);
std::string bytesText(const ir::Dim &bytes); ///< like flopText(), but in binary units: "97.5 MiB"
/// Returns the figure with all digits and without a unit: "8,178,368,512".
std::string exactText(const ir::Dim &figure);

// These functions return the text of a figure of which perhaps only a lower bound is known: "≥ 8.18 GFLOP"; "?" if the
// bound is 0.
std::string flopText(const ir::Dim &flops, const ir::Dim &atLeast);
std::string bytesText(const ir::Dim &bytes, const ir::Dim &atLeast);
std::string exactText(const ir::Dim &figure, const ir::Dim &atLeast);

/// Returns "30.5 %" for 0.305.
std::string percentText(double part);

} // namespace cutaway::print
