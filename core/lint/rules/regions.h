// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lint/subject.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace cutaway::lint {

/// Returns the names of the element types with these letters of onnx_types.txt: "float16, float32 and float64".
std::string dtypesOf(std::string_view letters);
inline std::string typeOf(char letter) { return dtypesOf({&letter, 1}); }

// These rules hold the branches and bodies of ONNX's If, Loop and Scan against ONNX's specification, and report to the
// subject. They skip other nodes, and Scan before version 9.

/// Checks that a region has the numbers of inputs and outputs that its node passes and returns.
void checkRegionCounts(Subject &subject, const ir::NodeRef &node, std::int64_t opset);
/// Checks that branches return the same types, that a state keeps its type, in a Scan also its shape, and that
/// conditions are Booleans.
void checkRegionTypes(Subject &subject, const ir::NodeRef &node, std::int64_t opset);

} // namespace cutaway::lint
