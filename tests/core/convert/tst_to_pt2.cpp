// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Conversions of models to programs of torch.export: tests/data/convert_pt2/*.graph. The graph is followed by the new
// constants, the missing operators and the notes.
#include "core/convert/to_pt2.h"
#include "tests/core/convert/converted_text.h"
#include "tests/core/graph_cases.h"
#include "tests/core/ir/parsed.h"

namespace cutaway::test {
namespace {

std::string asProgram(const GraphCase &given)
{
    const ir::Model source = parsed(given.graphs.front());
    const auto made = convert::toPt2(source, ir::FunctionId{0}, {});
    return made ? convertedText(*made, source) : "error: " + made.error().text();
}

const bool programCases = forEachCase("ConvertToPt2", "convert_pt2", asProgram);

} // namespace
} // namespace cutaway::test
