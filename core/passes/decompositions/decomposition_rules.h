// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/rule_table.h"
#include "core/passes/decompositions/decomposition.h"

#include <functional>
#include <span>

namespace cutaway::passes {

/// Makes an operator of aten of core ones.
using MakeParts = Parts (*)(Decomposition &d);
/// The rule by which some operators of aten are taken apart.
struct DecompositionRule {
    ops::RowNames names; ///< all overloads share the rule
    MakeParts make;
};

// The rules, a source per family.
std::span<const DecompositionRule> activationDecompositions();
std::span<const DecompositionRule> arithmeticDecompositions();
std::span<const DecompositionRule> attentionDecompositions();
std::span<const DecompositionRule> copyDecompositions();
std::span<const DecompositionRule> creationDecompositions();
std::span<const DecompositionRule> indexingDecompositions();
std::span<const DecompositionRule> joiningDecompositions();
std::span<const DecompositionRule> linearAlgebraDecompositions();
std::span<const DecompositionRule> lossDecompositions();
std::span<const DecompositionRule> normalizationDecompositions();
std::span<const DecompositionRule> poolingDecompositions();
std::span<const DecompositionRule> productDecompositions();
std::span<const DecompositionRule> recurrentDecompositions();
std::span<const DecompositionRule> reductionDecompositions();
std::span<const DecompositionRule> resamplingDecompositions();
std::span<const DecompositionRule> signalDecompositions();
std::span<const DecompositionRule> viewDecompositions();
/// The rule for operators that have a formula in their row.
Parts madeByFormula(Decomposition &d);
/// Finds the rule that takes an operator apart, its formula where it has one; nullptr if nothing does.
MakeParts findDecomposition(std::string_view dialect, std::string_view name);

using KeptNodes = std::function<bool(const ir::NodeRef &)>;
/// Runs the pass decompose-to-core-aten on all nodes but those that `keeps` is true of.
void decomposeOthers(Rewriter &rewriter, const KeptNodes &keeps);

} // namespace cutaway::passes
