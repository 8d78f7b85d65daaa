// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/matching.h"

namespace cutaway::diff {

/// How much of both functions is the same, 0 to 1; 1 if nothing differs, and only then. See similarity.cpp.
double similarityOf(const Difference &difference, const Subject &a, const Subject &b);
/// How much of two states of one graph is the same, where every node counts alike.
double similarityOfStates(const Difference &difference);
/// How much of two files of weights alone is the same, by tensors.
double similarityOfWeights(const Difference &difference, std::size_t tensorsA, std::size_t tensorsB);

} // namespace cutaway::diff
