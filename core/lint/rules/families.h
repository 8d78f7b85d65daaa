// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lint/rule.h"

namespace cutaway::lint {

std::span<const Rule> analysisRules(); ///< findings of reading and of analysing the file
std::span<const Rule> opsetRules();    ///< operators against the ONNX opsets that the file declares
std::span<const Rule> metadataRules(); ///< facts that the file states about itself
std::span<const Rule> effectRules();   ///< writes, random numbers, results that vary
std::span<const Rule> dtypeRules();    ///< element types and sizes that cost more than they gain
std::span<const Rule> unusedRules();   ///< things that nothing reads
std::span<const Rule> targetRules();   ///< operators that a named target lacks

} // namespace cutaway::lint
