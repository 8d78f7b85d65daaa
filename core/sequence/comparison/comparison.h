// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/diff.h"
#include "core/sequence/comparison/pairing.h"

namespace cutaway::sequence {

enum class Verdict : std::uint8_t {
    Same,    ///< each node has a counterpart with the same operator, operands, arguments and types; a stage that only
             ///< one side has is Same if it changed nothing
    Differs, ///< something differs, or is on one side only
    Unknown, ///< a graph cannot be read or compared completely
};
std::string_view name(Verdict verdict); ///< "same"

/// The number of nodes of an operator on both sides.
struct OperatorCount {
    std::string name; ///< "aten::addmm.default"
    std::size_t a = 0, b = 0;
    bool operator==(const OperatorCount &) const = default;
};

/// The graphs of one stage on both sides.
struct ComparedStep {
    Paired at; ///< the indices of the steps in their sequences
    Verdict verdict = Verdict::Same;
    std::size_t nodesA = 0, nodesB = 0;
    std::vector<OperatorCount> operators = {}; ///< operators with more nodes on one side
    diff::Counts counts = {};                  ///< zero if a side cannot be read
    bool isLaidOutAlike = true;                ///< whether tensors of matched nodes have the same strides and devices
    std::string reason = {};                   ///< why it is not known whether the graphs are equal
};

/// Texts that are on one side only.
struct OnlyTexts {
    std::vector<std::string> a, b;
    bool isEmpty() const { return a.empty() && b.empty(); }
};

/// A compilation on both sides.
struct ComparedSequence {
    Paired at; ///< the indices of the sequences in their documents
    std::vector<ComparedStep> steps = {};
    OnlyTexts breaks = {}, reasons = {}, guards = {};
    bool isStatusAlike = true;
    /// Whether both sides have the same number of breaks in the same files; the reasons of breaks differ between
    /// versions of torch.
    bool areBreaksAlike = true;

    /// Returns the worst verdict of the steps. It is Differs if there is no counterpart, another status, or other graph
    /// breaks. Guards and the reason of a recompilation do not count.
    Verdict verdict() const;
    const ComparedStep *firstDifference() const; ///< returns nullptr if there is none
};

/// Compares two rows of compilations: for two versions of a model or of torch, or with and without a flag. Graphs are
/// the same if their computations, attributes and types are; names, addresses, comments and lines of code do not count.
std::vector<ComparedSequence> compare(const Document &a, const Document &b, const Task &task = {});

/// Returns the worst of all verdicts; Unknown if there is nothing to compare.
Verdict verdictOf(const std::vector<ComparedSequence> &compared);

} // namespace cutaway::sequence
