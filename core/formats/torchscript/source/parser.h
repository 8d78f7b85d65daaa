// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/formats/torchscript/source/syntax.h"

#include <string>
#include <string_view>
#include <vector>

namespace cutaway::formats::torchscript {

/// A note on something that torch writes and cannot read back, and that was understood here.
struct Remark {
    Position position;
    std::string message;
};

/// A source file as a tree, whose texts are views of the source.
struct ParsedFile {
    Tree tree;
    std::vector<Remark> remarks;
};

/// Reads a source file, which must outlive the tree. Errors: what was found and what was wanted, with line and column;
/// nesting deeper or trees larger than the limits.
Result<ParsedFile> parse(std::string_view source);

/// Reads a single type, as pickles contain it ("Dict[str, Tensor]"): it is the last of the tree's expressions.
/// Errors: those of parse().
Result<ParsedFile> parseType(std::string_view source);

} // namespace cutaway::formats::torchscript
