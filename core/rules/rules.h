// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/rules/decomposition.h"
#include "core/rules/lowering.h"
#include "core/rules/onnx_node.h"
#include "core/rules/version_change.h"

namespace cutaway::rules {

/// The rules of a family of operators, by what they make of a node.
struct Family {
    std::span<const to_aten::DecompositionRule> decompositions = {}; ///< nodes of core ATen, of one of aten
    std::span<const to_aten::OnnxLowering> fromOnnx = {};            ///< nodes of aten, of one of ONNX
    std::span<const to_onnx::LoweringRule> toOnnx = {};              ///< nodes of ONNX, of one of aten
    std::span<const to_onnx::VersionRow> versions = {};              ///< a node of another version of ONNX
};

// The families, a source for each.
#define FAMILY(name) Family name();
#include "core/rules/families.def"
#undef FAMILY

/// The rule that takes an operator apart, its formula where it has one; nullptr if nothing does.
to_aten::MakeParts decompositionOf(std::string_view dialect, std::string_view name);
/// The rule that makes aten of an operator of ONNX; nullptr if there is none.
const to_aten::OnnxLowering *loweringOf(std::string_view dialect, std::string_view name);
/// The rules that make ONNX of an operator, in the order in which they are tried.
std::span<const to_onnx::LoweringRule *const> onnxRulesOf(std::string_view dialect, std::string_view plainName);
/// How an operator of ONNX changes with this version of the set; nullptr if it does not.
const to_onnx::VersionRow *versionRowOf(std::string_view op, std::int64_t since);

} // namespace cutaway::rules
