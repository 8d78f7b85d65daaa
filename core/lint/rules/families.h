// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lint/rule.h"

namespace cutaway::lint {

std::span<const Rule> analysisRules(); ///< what reading and analysing the file found
std::span<const Rule> opsetRules();    ///< operators against the ONNX opsets that the file declares
std::span<const Rule> metadataRules(); ///< what the file says of itself
std::span<const Rule> effectRules();   ///< writes, random numbers, results that vary
std::span<const Rule> dtypeRules();    ///< element types and sizes that cost more than they give
std::span<const Rule> unusedRules();   ///< what is not read
std::span<const Rule> targetRules();   ///< what a named target lacks

} // namespace cutaway::lint
