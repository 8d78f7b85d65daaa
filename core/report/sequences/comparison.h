// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/document.h"
#include "core/sequence/comparison/comparison.h"

#include <span>

namespace cutaway::report {

/// The compilations of two logs and the result of compare(). All must outlive the report.
struct SequenceComparison {
    std::string nameA, nameB; ///< the names as the user wrote them
    const sequence::Document &a;
    const sequence::Document &b;
    const std::vector<sequence::ComparedSequence> &compared;
};

/// Returns the comparison as JSON, schema "cutaway.steps-diff/1".
std::string comparisonJson(const SequenceComparison &comparison);
/// Returns lists for a terminal, with both logs' messages. `isWhole`: with stages that are the same, and each guard.
std::string comparisonText(const SequenceComparison &comparison, bool isWhole);
Document comparisonDocument(const SequenceComparison &comparison);

/// Returns a sentence: "3 of 12 stages in 2 compilations differ; first: 0/1, dynamo_output_graph."
std::string verdictText(const SequenceComparison &comparison);
/// Returns "only in A", "same", "differs" or "not known".
std::string verdictWord(const sequence::Paired &at, sequence::Verdict verdict);
/// Describes how two compilations differ besides their stages: "status: ok → failed, other graph breaks". "" if they do
/// not.
std::string detailText(const SequenceComparison &comparison, const sequence::ComparedSequence &compared);
/// Returns the name of a stage, or its two names: "AFTER POST GRAD / inductor_post_grad_graph".
std::string stepName(const SequenceComparison &comparison, const sequence::ComparedSequence &compared,
                     const sequence::ComparedStep &step);
/// Returns "16 → 18", or "only A: 16".
std::string nodeCountText(const sequence::ComparedStep &step);
/// Describes how two graphs differ, or why it is not known: "2 nodes changed, 1 only in A, other inputs or results".
std::string detailText(const sequence::ComparedStep &step);
/// Returns "aten::mm 1 → 0, aten::addmm 0 → 1", with the number of further operators if there are more than `most`.
std::string operatorCountsText(const sequence::ComparedStep &step, std::size_t most = 6);
/// Returns the id of a compilation on the sides that have it: "0/1 forward".
std::string idText(const SequenceComparison &comparison, const sequence::ComparedSequence &compared);
/// The time of a phase on each side, in seconds; nothing if a side does not record it.
struct ComparedPhase {
    std::string name;
    std::optional<double> a, b;
};
std::vector<ComparedPhase> phasesOf(const SequenceComparison &comparison, const sequence::ComparedSequence &compared);

} // namespace cutaway::report
