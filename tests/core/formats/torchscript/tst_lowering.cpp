// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/torchscript/lowering/lowering.h"

#include "core/formats/torchscript/reader.h"
#include "core/ir/context.h"
#include "core/ir/text/text.h"
#include "core/ir/verify.h"
#include "tests/core/formats/temporary_file.h"
#include "tests/core/formats/torchscript/archive_text.h"
#include "tests/core/graph_cases.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <regex>

namespace cutaway::formats::torchscript {
namespace {

using namespace tests::pickled;

/// An archive of code and, if it has a state, of its root's attributes.
struct LoweringRow {
    std::string name;
    std::string code;  ///< __torch__.py; the root is class Net
    std::string graph; ///< forward, as lowered() has it
    std::string state = dict({});
};

class LoweringRows : public ::testing::TestWithParam<LoweringRow> { };

std::string plain(const std::string &text)
{
    static const std::regex noise(R"re(( name "[^"]*")|( at "[^"]*":\d+))re");
    return std::regex_replace(text, noise, "");
}

/// The graph without places and names of nodes, and a line "note: …" for each diagnostic.
std::string lowered(const std::string &code, const std::string &state)
{
    tests::ArchiveText archive;
    archive.data = object("__torch__", "Net", state);
    archive.code = code;
    const std::string bytes = archive.bytes();
    const auto model = read(formats::archive::Probe(std::as_bytes(std::span(bytes)), {"net.pt", nullptr}), {});
    if (!model)
        return "error: " + model.error().text();
    EXPECT_EQ(ir::verify(*model), std::vector<std::string>());
    std::string text = plain(ir::printText(*model, ir::FunctionId{0}, ir::TextForm::Reading));
    for (const ir::Diagnostic &diagnostic : model->diagnostics)
        text += "note: " + diagnostic.message + "\n";
    return text;
}

TEST_P(LoweringRows, givesTheGraph) { EXPECT_EQ("\n" + lowered(GetParam().code, GetParam().state), GetParam().graph); }

const std::string head = "class Net(Module):\n  __parameters__ = []\n  __buffers__ = []\n";

/// A forward of the root with these parameters and body lines.
std::string forward(const std::string &parameters, const std::string &result, const std::string &body)
{
    return "  def forward(self: __torch__.Net,\n    " + parameters + ") -> " + result + ":\n" + body;
}

const std::string linear = "class Linear(Module):\n"
                           "  __parameters__ = []\n"
                           "  __buffers__ = []\n"
                           "  slope : float\n"
                           "  def forward(self: __torch__.Linear,\n    input: Tensor) -> Tensor:\n"
                           "    slope = self.slope\n"
                           "    return torch.mul(input, slope)\n";

INSTANTIATE_TEST_SUITE_P(
    Rows, LoweringRows,
    ::testing::Values(
        LoweringRow{
            "modulesAreInlinedUnderTheirScope",
            linear + head + "  l : __torch__.Linear\n"
                + forward("x: Tensor", "Tensor",
                          "    l = self.l\n    y = (l).forward(x, )\n    l0 = self.l\n    return (l0).forward(y, )\n"),
            R"(
graph @forward(%x: tensor[*]) {
  %mul: tensor[*] = aten::mul.Scalar(self=%x, other=0.5) in l
  %mul_1: tensor[*] = aten::mul.Scalar(self=%mul, other=0.5) in l#1
  return %mul_1
}
)",
            dict({{text("l"), object("__torch__", "Linear", dict({{text("slope"), real(0.5)}}))}})},
        LoweringRow{"anAttributeThatChangesIsReadWhereItIsRead",
                    head + "  n : int\n"
                        + forward("x: Tensor", "Tensor",
                                  "    n = self.n\n    self.n = torch.add(n, 1)\n    return torch.mul(x, n)\n"),
                    R"(
graph @forward(%x: tensor[*], custom_object %self: module "__torch__.Net") {
  %n: int = prim::GetAttr(self=%self, name="n")
  %add: int = aten::add.int(a=%n, b=1)
  prim::SetAttr(self=%self, name="n", value=%add)
  %mul: tensor[*] = aten::mul.Scalar(self=%x, other=%n)
  return %mul
}
)",
                    dict({{text("n"), integer(0)}})},
        LoweringRow{"aMemberOfAnEnumIsNamed",
                    head + "  c : __torch__.Color\n"
                        + forward("x: Tensor", "Tensor",
                                  "    c = self.c\n    same = torch.eq(c, __torch__.Color.RED)\n"
                                  "    return torch.mul(x, (c).value)\n")
                        + "class Color(Enum):\n  RED = 1\n  GREEN = 2\n",
                    R"(
graph @forward(%x: tensor[*]) {
  %same: bool = aten::eq.enum(a="__torch__.Color.GREEN", b="__torch__.Color.RED")
  %EnumValue: int = prim::EnumValue.int(enum="__torch__.Color.GREEN", members={"__torch__.Color.RED": 1, "__torch__.Color.GREEN": 2})
  %mul: tensor[*] = aten::mul.Scalar(self=%x, other=%EnumValue)
  return %mul
}
)",
                    dict({{text("c"), call(global("__torch__", "Color"), integer(2))}})}),
    [](const auto &row) { return row.param.name; });

/// The code of a case, which stands behind that of the class of the root. The option `objects: sub=Sub` gives the root
/// an attribute that is an object of a class without state.
std::string loweredCase(const test::GraphCase &given)
{
    std::string_view code = given.graphs.front();
    while (code.starts_with("//") || code.starts_with("\n"))
        code.remove_prefix(std::min(code.find('\n'), code.size() - 1) + 1);
    std::string state = dict({});
    if (const std::string object = given.option("objects"); !object.empty()) {
        const std::size_t equals = object.find('=');
        const std::string name = object.substr(0, equals), type = object.substr(equals + 1);
        state = dict({{text(name), tests::pickled::object("__torch__", type, dict({}))}});
    }
    return lowered(head + std::string(code), state);
}

const bool areRegistered = test::forEachCase("TorchScript", "formats_torchscript", loweredCase);

std::string bytesOf(double x) { return bytes(std::bit_cast<std::uint64_t>(x), 8); }

// torch.jit.trace writes `x * 0.5` so; in a division that rounds, in `where` and as a module's attribute it is a
// tensor.
TEST(Lowering, aConstantWithoutDimensionsIsANumberInArithmetic)
{
    const auto number = [](const std::string &key) { return TensorText{key, "DoubleStorage", 1, {}, {}}.opcodes(); };
    tests::ArchiveText archive;
    archive.data = object("__torch__", "Net", dict({{text("half"), number("0")}}));
    archive.constants = tuple({number("0"), number("1")});
    archive.code = "class Net(Module):\n  __parameters__ = []\n  __buffers__ = [\"half\", ]\n  half : Tensor\n"
        + forward("x: Tensor", "Tensor",
                  "    half = self.half\n    a = torch.mul(x, CONSTANTS.c0)\n    b = torch.mul(a, half)\n"
                  "    c = torch.div(b, CONSTANTS.c0, rounding_mode=\"floor\")\n"
                  "    return torch.where(torch.gt(c, 0), c, CONSTANTS.c1)\n");
    archive.more = {{"net/constants/0", bytesOf(0.5)}, {"net/constants/1", bytesOf(0.25)}, {"net/data/0", bytesOf(2)}};
    const tests::TemporaryFile file(archive.bytes());
    const auto model = read(file.probe(), {});
    ASSERT_TRUE(model) << model.error().text();
    EXPECT_EQ(ir::verify(*model), std::vector<std::string>());
    EXPECT_EQ("\n" + plain(ir::printText(*model, ir::FunctionId{0}, ir::TextForm::Reading)), R"(
graph @forward(%x: tensor[*]) {
  weight %half: float64[] = @half
  weight %CONSTANTS.c0: float64[] = @CONSTANTS.c0
  weight %CONSTANTS.c1: float64[] = @CONSTANTS.c1
  %a: tensor[*] = aten::mul.Tensor(self=%x, other=0.5)
  %b: tensor[*] = aten::mul.Tensor(self=%a, other=%half)
  %c: tensor[*] = aten::div.Tensor_mode(self=%b, other=%CONSTANTS.c0, rounding_mode="floor")
  %gt: tensor[*] = aten::gt.Scalar(self=%c, other=0)
  %where: tensor[*] = aten::where.self(condition=%gt, self=%c, other=%CONSTANTS.c1)
  return %where
}
)");
}

TEST(Lowering, aFunctionThatCallsItselfMakesTheFileUnusable)
{
    tests::ArchiveText archive;
    archive.code = head + forward("x: Tensor", "Tensor", "    return __torch__.f(x, )\n")
        + "def f(x: Tensor) -> Tensor:\n  return torch.neg(__torch__.f(x, ))\n";
    const std::string bytes = archive.bytes();
    const auto model = read(formats::archive::Probe(std::as_bytes(std::span(bytes)), {"net.pt", nullptr}), {});
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error().text(), "__torch__.f calls itself, which TorchScript cannot (code/__torch__.py, line 8)");
}

} // namespace
} // namespace cutaway::formats::torchscript
