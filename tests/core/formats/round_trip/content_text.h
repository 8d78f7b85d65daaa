// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"

#include <string>

namespace cutaway::tests {

/// The complete text of a model without what depends on where things lie in its file: each weight stands with its
/// elements instead of its place, weights and attachments are sorted, and what reading had to say is left out. Two
/// files say the same if these texts are equal.
std::string contentText(const ir::Model &model);

/// The first line in which two texts differ: "line 7: a | b"; "" for equal ones.
std::string difference(const std::string &a, const std::string &b);

} // namespace cutaway::tests
