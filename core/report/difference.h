// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/diff.h"
#include "core/report/document.h"

#include <string>

namespace cutaway::report {

/// What was compared, and the outcome. All of it must outlive the report.
struct Comparison {
    const diff::Side &a;
    const diff::Side &b;
    const diff::Difference &difference;
};

/// Schema "cutaway.diff/1".
std::string differenceJson(const Comparison &comparison);

/// A unified diff of the two graphs, a line per node: '-' only in A, '+' only in B, both for a node that changed, and
/// three unchanged lines around. B's names are A's where nodes are partners, and views are left out where the files
/// are written differently. Then what differs per module. "" if nothing does.
std::string differenceText(const Comparison &comparison);

Document differenceDocument(const Comparison &comparison);

} // namespace cutaway::report
