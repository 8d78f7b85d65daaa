// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/document.h"
#include "core/sequence/comparison/comparison.h"

#include <span>

namespace cutaway::report {

/// Two rows of compilations and what compare() says of them. All must outlive the report.
struct SequenceComparison {
    std::string nameA, nameB; ///< as the user gave them
    const sequence::Document &a;
    const sequence::Document &b;
    const std::vector<sequence::ComparedSequence> &compared;
};

/// JSON, schema "cutaway.steps-diff/1".
std::string comparisonJson(const SequenceComparison &comparison);
/// Lists for a terminal, with the messages about both logs. `isWhole`: also stages that are the same, and each guard.
std::string comparisonText(const SequenceComparison &comparison, bool isWhole);
Document comparisonDocument(const SequenceComparison &comparison);

/// All in a sentence: "3 of 12 stages in 2 compilations differ; first: 0/1, dynamo_output_graph."
std::string verdictText(const SequenceComparison &comparison);
/// "only in A", "same", "differs", "not known"
std::string verdictWord(const sequence::Paired &at, sequence::Verdict verdict);
/// Tells what of a compilation differs that is no stage: "status: ok → failed, other graph breaks". "" if nothing
/// does.
std::string detailText(const SequenceComparison &comparison, const sequence::ComparedSequence &compared);
/// The name of a stage, or its two names: "AFTER POST GRAD / inductor_post_grad_graph".
std::string stepName(const SequenceComparison &comparison, const sequence::ComparedSequence &compared,
                     const sequence::ComparedStep &step);
/// "16 → 18", "only A: 16"
std::string nodeCountText(const sequence::ComparedStep &step);
/// Tells how two graphs differ, or why it is not known: "2 nodes changed, 1 only in A, other inputs or results".
std::string detailText(const sequence::ComparedStep &step);
/// "aten::mm 1 → 0, aten::addmm 0 → 1", and how many more there are than `most`.
std::string operatorCountsText(const sequence::ComparedStep &step, std::size_t most = 6);
/// The compilation, of the side or sides that have it: "0/1 forward".
std::string idText(const SequenceComparison &comparison, const sequence::ComparedSequence &compared);
/// Times of phases as rows of name, A and B; in seconds, nothing where a side does not tell it.
struct ComparedPhase {
    std::string name;
    std::optional<double> a, b;
};
std::vector<ComparedPhase> phasesOf(const SequenceComparison &comparison, const sequence::ComparedSequence &compared);

} // namespace cutaway::report
