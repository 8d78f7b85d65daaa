// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/matching.h"

namespace cutaway::diff {

/// Returns how similar two functions are, from 0 to 1; 1 if and only if nothing differs. See similarity.cpp.
double similarityOf(const Difference &difference, const Subject &a, const Subject &b);
/// Returns how similar two states of one graph are, with equal weight for each node.
double similarityOfStates(const Difference &difference);
/// Returns how similar two files of weights are, by number of tensors.
double similarityOfWeights(const Difference &difference, std::size_t tensorsA, std::size_t tensorsB);

} // namespace cutaway::diff
