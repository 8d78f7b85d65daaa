// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Conversions of operators to ONNX: tests/data/convert/*.graph. The graph is followed by the new constants, the missing
// operators and the notes.
#include "tests/core/convert/converted_text.h"
#include "tests/core/graph_cases.h"
#include "tests/core/ir/parsed.h"

#include <charconv>

namespace cutaway::test {
namespace {

std::string afterConversion(const GraphCase &given)
{
    const ir::Model source = parsed(given.graphs.front());
    convert::OnnxOptions options;
    if (const std::string opset = given.option("opset"); !opset.empty())
        std::from_chars(opset.data(), opset.data() + opset.size(), options.opset);
    options.keepsUnknown = given.option("keep-unknown") == "yes";
    if (const std::string table = given.option("table"); !table.empty())
        options.table = convert::readOperatorTable(table).value();
    const auto made = convert::toOnnx(source, ir::FunctionId{0}, {}, options);
    if (!made)
        return "error: " + made.error().text();
    return convertedText(*made, source, options.keepsUnknown);
}

const bool conversionCases = forEachCase("Convert", "convert", afterConversion);

} // namespace
} // namespace cutaway::test
