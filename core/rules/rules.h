// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/rules/decomposition.h"
#include "core/rules/lowering.h"
#include "core/rules/onnx_node.h"
#include "core/rules/version_change.h"

namespace cutaway::rules {

/// The rules of a family of operators, by the format or version that they lead to.
struct Family {
    std::span<const to_aten::DecompositionRule> decompositions = {}; ///< rules from ATen to core ATen
    std::span<const to_aten::OnnxLowering> fromOnnx = {};            ///< rules from ONNX to ATen
    std::span<const to_onnx::LoweringRule> toOnnx = {};              ///< rules from ATen to ONNX
    std::span<const to_onnx::VersionRow> versions = {};              ///< rules between versions of ONNX's operator set
};

// Each family has a function that returns its rules.
#define FAMILY(name) Family name();
#include "core/rules/families.def"
#undef FAMILY

/// Returns the rule that decomposes an operator, or its formula if it has one; nullptr if there is neither.
to_aten::MakeParts decompositionOf(std::string_view dialect, std::string_view name);
/// Returns the rule that makes operators of aten from an operator of ONNX; nullptr if there is none.
const to_aten::OnnxLowering *loweringOf(std::string_view dialect, std::string_view name);
/// Returns the rules that make operators of ONNX from an operator, in the order in which they are tried.
std::span<const to_onnx::LoweringRule *const> onnxRulesOf(std::string_view dialect, std::string_view plainName);
/// Returns how an operator of ONNX changes with this version of the operator set; nullptr if it does not.
const to_onnx::VersionRow *versionRowOf(std::string_view op, std::int64_t since);

} // namespace cutaway::rules
