// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/diff.h"
#include "core/sequence/comparison/pairing.h"

namespace cutaway::sequence {

enum class Verdict : std::uint8_t {
    Same,    ///< each node has a counterpart with the same operator, arguments, types and sources; of a stage that one
             ///< side has alone: it changed nothing there
    Differs, ///< something is other, or is only on one side
    Unknown, ///< a graph cannot be read, or not all of it can be compared
};
std::string_view name(Verdict verdict); ///< "same"

/// How many nodes of an operator there are.
struct OperatorCount {
    std::string name; ///< "aten::addmm.default"
    std::size_t a = 0, b = 0;
    bool operator==(const OperatorCount &) const = default;
};

/// The graphs of one stage on both sides.
struct ComparedStep {
    Paired at; ///< in the sequences
    Verdict verdict = Verdict::Same;
    std::size_t nodesA = 0, nodesB = 0;
    std::vector<OperatorCount> operators = {}; ///< operators that one side has more often
    diff::Counts counts = {};                  ///< where both can be read
    bool isLaidOutAlike = true;                ///< tensors of matched nodes have the same strides and devices
    std::string reason = {};                   ///< why it is not known
};

/// Texts that are on one side only.
struct OnlyTexts {
    std::vector<std::string> a, b;
    bool isEmpty() const { return a.empty() && b.empty(); }
};

/// One compilation on both sides.
struct ComparedSequence {
    Paired at; ///< in the documents
    std::vector<ComparedStep> steps = {};
    OnlyTexts breaks = {}, reasons = {}, guards = {};
    bool isStatusAlike = true;
    bool areBreaksAlike = true; ///< as many, in the same files; versions of torch give other reasons for one break

    /// The worst of its steps; Differs if there is no counterpart, another status, or other graph breaks.
    /// Guards and why it was compiled again do not count.
    Verdict verdict() const;
    const ComparedStep *firstDifference() const; ///< nullptr: there is none
};

/// Compares two rows of compilations: of two versions of a model, of torch, of a flag. Graphs are the same if what they
/// compute, their attributes and types are; names, addresses, comments and lines of code do not count.
std::vector<ComparedSequence> compare(const Document &a, const Document &b, const Task &task = {});

/// The worst of all; Unknown if there is nothing to compare.
Verdict verdictOf(const std::vector<ComparedSequence> &compared);

} // namespace cutaway::sequence
