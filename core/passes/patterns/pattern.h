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

/// A small graph and the graph that replaces its matches; docs/patterns.md describes the text.
struct Pattern {
    std::string name; ///< "gelu" for @gelu.before; "" for @before
    ir::Function before, after;
};

/// The texts of patterns: graphs, and in the same order the graphs that replace them.
struct PatternTexts {
    std::string before, after;
    bool operator==(const PatternTexts &) const = default;
};

/// Divides a text of graphs, each @before (or @gelu.before) followed by its @after (@gelu.after). Errors (Usage): a
/// graph that cannot be read, with line and column; a graph without its partner.
Result<PatternTexts> splitPatterns(std::string_view text);

/// Reads patterns. Names, operators and types are interned in `context`, so they can be compared with those of a model
/// with this context. Errors (Usage): a text that cannot be read, with line and column; a graph that is no pattern,
/// with the reason.
Result<std::vector<Pattern>> parsePatterns(const PatternTexts &texts, const std::shared_ptr<ir::Context> &context);

/// Returns the name of a capture, "dim" for `$dim`; nullptr for every other operand.
const std::string *captureOf(const ir::Operand &operand);

} // namespace cutaway::passes
