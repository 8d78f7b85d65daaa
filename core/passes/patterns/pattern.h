// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/ir/model.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace cutaway::passes {

/// A small graph and the graph that replaces each one like it; docs/patterns.md says what its text means.
struct Pattern {
    std::string name; ///< "gelu" of @gelu.before; "" of @before
    ir::Function before, after;
};

/// The texts of patterns: graphs, and in the same order the graphs that replace them.
struct PatternTexts {
    std::string before, after;
    bool operator==(const PatternTexts &) const = default;
};

/// Divides a text of graphs, each @before (or @gelu.before) followed by its @after (@gelu.after). Errors (Usage): a
/// graph that cannot be read, with line and column; one without its partner.
Result<PatternTexts> splitPatterns(std::string_view text);

/// Reads patterns. Their names, operators and types are those of `context`, so they compare with those of a model that
/// has it. Errors (Usage): a text that cannot be read, with line and column; a graph that is no pattern, with the
/// reason.
Result<std::vector<Pattern>> parsePatterns(const PatternTexts &texts, const std::shared_ptr<ir::Context> &context);

/// The name of a capture, "dim" of `$dim`; nullptr for every other operand.
const std::string *captureOf(const ir::Operand &operand);

} // namespace cutaway::passes
