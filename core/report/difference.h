// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/diff.h"
#include "core/report/document.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace cutaway::report {

/// Two functions and their difference. All three must outlive the report.
struct Comparison {
    const diff::Side &a;
    const diff::Side &b;
    const diff::Difference &difference;
};

/// Returns the difference as JSON, schema "cutaway.diff/1".
std::string differenceJson(const Comparison &comparison);

/// Returns the difference in one line, for every form of report: "1 node changed, 0 removed, 2 added", "no difference",
/// or "no difference found, 3 places not proven" if some values could not be proven to be equal.
std::string verdictText(const diff::Difference &difference);
/// Returns "3 places (first: conv2d_4 input 0: it is too much to compute)"; "" if there are none.
std::string notProvenText(const Comparison &comparison);
/// Returns one side of a replaced region in a line: "69 nodes, 4.1 GFLOP, 161 weights".
std::string regionSideText(const diff::RegionSide &side);
/// Returns "93.2 %"; less than 100 % where anything differs.
std::string similarityText(const diff::Difference &difference);

/// How much of a difference a text lists. Brief: if the graphs are the same but for many weights, their precision or a
/// quantization, the text only says so; All: it lists every node and weight that differs.
enum class WeightList : std::uint8_t { Brief, All };

/// Returns a unified diff of the two graphs, a line per node: '-' only in A, '+' only in B, both for a changed node,
/// with three unchanged lines of context. No line is longer than print::maxLine. Values of B have the names of A where
/// nodes are partners; views are left out if the files are written differently. After the diff come the verdict, the
/// replaced regions, the differences per module and found part, and what was not compared or not proven. Returns "" if
/// everything is proven to be equal.
std::string differenceText(const Comparison &comparison, WeightList weights = WeightList::Brief);

/// Returns the difference as a report.
Document differenceDocument(const Comparison &comparison);

/// Returns a comment on a pull request, in GitHub Markdown: the difference in one line, the totals of both functions,
/// the modules, and the unified diff, which is folded up, and cut where the comment would get too long.
std::string differenceComment(const Comparison &comparison);
/// Returns the report in the form that a file's suffix names: .json, .html, .md, or the text for .diff and .txt.
std::string differenceIn(const Comparison &comparison, std::string_view suffix, WeightList weights = WeightList::Brief);
bool isDifferenceSuffix(std::string_view suffix);

} // namespace cutaway::report
