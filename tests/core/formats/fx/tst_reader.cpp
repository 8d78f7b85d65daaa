// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Cases are the code of a module without parts, or with the option `file` a file of PyTorch's beside them, which
// tests/against_torch/fx_modules.py --keep has made. The result is the graph, or the listing (`listed: yes`), and what
// was noted.
#include "core/base/formatted.h"
#include "core/formats/format.h"
#include "core/ir/text/text.h"
#include "core/ir/verify.h"
#include "core/print/fx.h"
#include "tests/core/formats/temporary_file.h"
#include "tests/core/formats/zip_writer.h"
#include "tests/core/graph_cases.h"

#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>

namespace cutaway::test {

extern const char *const dataFolder;

} // namespace cutaway::test

namespace cutaway::formats::fx {
namespace {

std::string longText(std::string_view t)
{
    std::string length;
    for (int byte = 0; byte < 4; ++byte)
        length += static_cast<char>(t.size() >> (8 * byte));
    return "X" + length + std::string(t);
}

std::string member(std::string_view name, const std::string &value) { return longText(name) + value; }

std::string module(const std::string &members, std::string_view reduce = "reduce_graph_module")
{
    return formatted("ctorch.fx.graph_module\n{}\n", reduce) + "(}(" + members + "u";
}

Result<ir::Model> opened(const std::string &pickle)
{
    const tests::TemporaryFile file(
        tests::zipArchive({{"net/data.pkl", "\x80\x02" + pickle + "."}, {"net/version", "3\n"}},
                          tests::ZipStyle::PyTorch),
        ".pt");
    return formats::open(file.path());
}

Result<ir::Model> openedCode(std::string_view code, std::string_view imports)
{
    return opened(module(member("_code", longText(code)) + member("_modules", "}")) + longText(imports) + "tR");
}

std::string printed(const Result<ir::Model> &model, bool isListed)
{
    if (!model)
        return "error: " + model.error().text();
    EXPECT_TRUE(ir::verify(*model).empty());
    EXPECT_EQ(model->format, "fx");
    std::string text = isListed ? print::fxListing(*model, ir::FunctionId{0})
                                : ir::printText(*model, ir::FunctionId{0}, ir::TextForm::Reading);
    for (const ir::Diagnostic &diagnostic : model->diagnostics)
        if (diagnostic.code != "fx.input")
            text += diagnostic.code + ": " + diagnostic.message + "\n";
    return text;
}

/// The text of a case without the comments before it, which are none of Python's.
std::string codeOf(std::string_view text)
{
    while (text.starts_with("//") || text.starts_with("\n"))
        text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
    return std::string(text);
}

const bool areRegistered = test::forEachCase("Fx", "formats_fx", [](const test::GraphCase &given) {
    const std::string file = given.option("file");
    const bool isListed = given.option("listed") == "yes";
    const std::string imports = given.option("imports");
    if (!file.empty())
        return printed(formats::open(std::filesystem::path(test::dataFolder) / "formats_fx" / file), isListed);
    return printed(openedCode(codeOf(given.graphs[0]), imports.empty() ? "import torch" : "import torch\n" + imports),
                   isListed);
});

TEST(FxReader, saysWhatItIsNot)
{
    const auto code = member("_code", longText("def forward(self, x):\n    return x\n"));
    EXPECT_TRUE(opened(module(code + member("_modules", "}")) + longText("") + "tR").has_value());
    EXPECT_TRUE(opened(module(code) + longText("") + "tR").has_value());
    const auto codeless = opened(module(member("_code", "K\x01")) + longText("") + "tR");
    ASSERT_FALSE(codeless.has_value());
    EXPECT_TRUE(codeless.error().message.starts_with("a torch.fx graph module without its code"))
        << codeless.error().text();
    EXPECT_FALSE(opened(module(code, "reduce_other_module") + longText("") + "tR").has_value());
    EXPECT_FALSE(opened("cos\nsystem\n(" + longText("true") + "tR").has_value());
}

TEST(FxReader, takesWrongThingsInDictsForNothing)
{
    const auto code = member("_code", longText("def forward(self, x):\n    a = self.a(x)\n    return a\n"));
    const std::string values[] = {"K\x01",
                                  "N",
                                  "](K\x01"
                                  "e",
                                  "}(K\x01K\x02u",
                                  "cos\nsystem\n(" + longText("true") + "tR",
                                  "}(" + longText("a") + "cos\nsystem\n(" + longText("true") + "tRu"};
    for (const std::string &value : values)
        for (const std::string_view name : {"_parameters", "_buffers", "_modules", "a", "_graphmodule_cls_name"}) {
            const auto model = opened(module(code + member(name, value)) + longText("") + "tR");
            ASSERT_TRUE(model.has_value()) << name;
            EXPECT_TRUE(ir::verify(*model).empty());
        }
}

TEST(FxReader, holdsItselfModules)
{
    const std::string code = "def forward(self, x):\n    a = self.a(x)\n    return a\n";
    // The module is put into the memo before it gets its parts, which it is one of.
    const auto model = opened(
        "ctorch.fx.graph_module\nreduce_graph_module\n(}q\x01(" + member("_code", longText(code))
        + member("_modules",
                 "}(" + longText("a") + "ctorch.fx.graph_module\nreduce_graph_module\n(h\x01" + longText("") + "tRu")
        + "u" + longText("") + "tR");
    ASSERT_TRUE(model.has_value()) << model.error().text();
    EXPECT_TRUE(ir::verify(*model).empty());
}

TEST(FxReader, stopsAtItsLimits)
{
    std::string deep =
        "def forward(self, x):\n    return " + std::string(100'000, '(') + "x" + std::string(100'000, ')');
    EXPECT_EQ(openedCode(deep, "").error().message, "nested deeper than 256");
    std::string chain = "def forward(self, x):\n    return x";
    for (int i = 0; i < 100'000; ++i)
        chain += " + x";
    EXPECT_EQ(openedCode(chain, "").error().message, "nested deeper than 256");
    EXPECT_FALSE(openedCode("def forward(self, x):\n    return " + std::string(100'000, '-') + "x", "").has_value());
    std::string doubled = "def forward(self, x):\n    a = (x, x)\n";
    for (int i = 0; i < 100; ++i)
        doubled += "    a = (a, a)\n";
    EXPECT_FALSE(openedCode(doubled + "    return a\n", "").has_value());
    for (const std::string_view nested : {"(a,)", "{'a': a}", "slice(a, None, None)"}) {
        std::string within = "def forward(self, x):\n    a = x\n";
        for (int i = 0; i < 4000; ++i)
            within += formatted("    a = {}\n", nested);
        EXPECT_EQ(openedCode(within + "    return a\n", "").error().message,
                  "tuples, lists or dicts are nested deeper than 256");
    }
    std::string tripled = "def forward(self, x):\n    a = slice(0, 1, 2)\n";
    for (int i = 0; i < 100; ++i)
        tripled += "    a = slice(a, a, a)\n";
    EXPECT_FALSE(openedCode(tripled + "    return x\n", "").has_value());
    std::string negated = "def forward(self, x):\n    a = x + --9223372036854775808\n    return a\n";
    EXPECT_TRUE(openedCode(negated, "").has_value());
}

/// The contents of a constant count as often as they are copied.
TEST(FxReader, countsTheItemsOfConstants)
{
    std::string items = "](";
    for (int i = 0; i < 10'000; ++i)
        items += "K\x01";
    std::string code = "def forward(self, x):\n    a = self.all\n";
    for (int i = 0; i < 12; ++i)
        code += "    a = (a, a)\n";
    const auto model = opened(module(member("_code", longText(code + "    return x\n")) + member("_modules", "}")
                                     + member("all", items + "e"))
                              + longText("") + "tR");
    ASSERT_FALSE(model.has_value());
    EXPECT_TRUE(model.error().message.starts_with("the code asks for more work")) << model.error().text();
}

/// A sequence that cannot be followed says so each time, and not that it is in itself.
TEST(FxReader, leavesSequencesThatCannotBeFollowed)
{
    const auto object = [](std::string_view module, std::string_view name, const std::string &parts) {
        return formatted("c{}\n{}\n)\x81}}(", module, name) + member("_modules", "}(" + parts + "u") + "ub";
    };
    const std::string strange = object("my.layers", "Strange", member("", "N"));
    const std::string sequence = object("torch.nn.modules.container", "Sequential", member("0", strange));
    const std::string code = "def forward(self, x):\n    a = self.all(x)\n    b = self.all(a)\n    return b\n";
    const auto model =
        opened(module(member("_code", longText(code)) + member("_modules", "}(" + member("all", sequence) + "u"))
               + longText("") + "tR");
    ASSERT_TRUE(model.has_value()) << model.error().text();
    std::vector<std::string> notes;
    for (const ir::Diagnostic &diagnostic : model->diagnostics)
        if (diagnostic.code == "fx.opaque")
            notes.push_back(diagnostic.message);
    EXPECT_EQ(
        notes,
        (std::vector<std::string>{"\"a\" is only named: the code of the class my.layers.Strange is not in the file",
                                  "\"b\" is only named: the code of the class my.layers.Strange is not in the file"}));
}

} // namespace
} // namespace cutaway::formats::fx
