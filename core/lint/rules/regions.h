// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lint/subject.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace cutaway::lint {

/// The element types with these letters of onnx_types.txt: "float16, float32 and float64".
std::string dtypesOf(std::string_view letters);
inline std::string typeOf(char letter) { return dtypesOf({&letter, 1}); }

// These rules hold the branches and bodies of ONNX's If, Loop and Scan against the document, and report on the subject.
// They pass over other nodes, and Scan before version 9.

/// A region has as many inputs and outputs as its node gives and has.
void checkRegionCounts(Subject &subject, const ir::NodeRef &node, std::int64_t opset);
/// Branches give the same types, a state keeps its own, a Scan's its shape too, and conditions are Booleans.
void checkRegionTypes(Subject &subject, const ir::NodeRef &node, std::int64_t opset);

} // namespace cutaway::lint
