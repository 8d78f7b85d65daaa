// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/base/temporary_folder.h"
#include "core/base/whole_file.h"
#include "core/formats/format.h"
#include "core/ir/names.h"
#include "core/ir/node_ref.h"
#include "core/print/pages/json_record.h"
#include "core/print/pages/source_page.h"
#include "core/sequence/kernel_modules.h"
#include "tests/core/formats/temporary_file.h"
#include "tests/core/formats/torchscript/archive_text.h"
#include "tests/core/ir/parsed.h"
#include "tests/core/sequence/small_log.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace cutaway::test {
namespace {

namespace fs = std::filesystem;
using print::PageName;
using Kind = PageName::Kind;

/// "3 relu, 4 neg"
std::string nodesByLine(const ir::Model &model, const print::SourcePage &page)
{
    std::string all;
    for (const print::NodeLine &each : page.lines)
        all += (all.empty() ? "" : ", ") + std::to_string(each.line) + " "
            + std::string(ir::NodeRef(model.functions.front().graph, each.node).opName());
    return all;
}

std::string names(const std::vector<PageName> &pages)
{
    std::string all;
    for (const PageName &page : pages)
        all += (all.empty() ? "" : " ") + std::to_string(int(page.kind)) + page.file;
    return all;
}

print::SourcePage mustRead(const ir::Model &model, const PageName &name, std::span<const fs::path> roots = {})
{
    auto page = print::sourcePage(model, ir::FunctionId{0}, name, roots);
    EXPECT_TRUE(page) << page.error().text();
    return page ? *std::move(page) : print::SourcePage();
}

/// A folder that is gone at the end of the scope.
class Folder {
public:
    Folder()
    {
        std::string name = (fs::temp_directory_path() / "cutaway-pages-XXXXXX").string();
        m_path = mkdtemp(name.data());
    }
    ~Folder() { fs::remove_all(m_path); }
    Folder(const Folder &) = delete;
    Folder &operator=(const Folder &) = delete;

    const fs::path &path() const { return m_path; }
    void write(const fs::path &name, std::string_view content) const
    {
        fs::create_directories((m_path / name).parent_path());
        std::ofstream(m_path / name) << content;
    }

private:
    fs::path m_path;
};

const char *const traced = R"--(model "m"
graph @forward(%x: float32[2]) {
  %a: float32[2] = aten::relu(%x) at !0
  %b: float32[2] = aten::neg(%a) at !1
  %c: float32[2] = aten::abs(%b) at !2
  return %c
}
location !0 "far/nets/net.py":2 in "forward" text "y = relu(x)"
location !1 "far/lib/neg.py":1 in "neg" text "return -x" from !3
location !2 "far/nets/net.py":4 in "forward" text "return abs(z)"
location !3 "far/nets/net.py":3 in "forward" text "z = neg(y)"
)--";

TEST(SourcePages, theGraphHasAStatementALine)
{
    const ir::Model model = parsed("model \"m\"\ngraph @forward(%x: float32[2], %f: bool) {\n"
                                   "  %a = aten::relu(%x)\n  %r = prim::If(%f) region \"then\" {\n"
                                   "      %b = aten::neg(%a)\n      return %b\n    } region \"else\" {\n"
                                   "      return %a\n    }\n  return %r\n}\n");
    const print::SourcePage page = mustRead(model, {Kind::Graph});
    EXPECT_EQ(nodesByLine(model, page), "2 relu, 3 If, 5 neg");
    EXPECT_TRUE(page.text.starts_with("graph @forward(")) << page.text;
}

TEST(SourcePages, areOfTheFilesThatStacksName)
{
    const ir::Model model = parsed(traced);
    EXPECT_EQ(names(print::pagesOf(model, ir::FunctionId{0})), "3far/lib/neg.py 3far/nets/net.py 0");
}

TEST(SourcePages, pythonIsReadBelowTheFoldersOfTheUserOnly)
{
    const ir::Model model = parsed(traced);
    const Folder folder;
    folder.write("nets/net.py", "def forward(x):\n    y = relu(x)\n    z = neg(y)\n    return abs(z)\n");
    const PageName name{Kind::Python, "far/nets/net.py"};
    const auto none = print::sourcePage(model, ir::FunctionId{0}, name, {});
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().text(), "'far/nets/net.py' is in none of the folders that code may be read from");
    const std::vector<fs::path> roots{folder.path()};
    const print::SourcePage page = mustRead(model, name, roots);
    EXPECT_EQ(nodesByLine(model, page), "2 relu, 3 neg, 4 abs") << "a call's line has what it leads to";
    EXPECT_EQ(page.note, "");
}

TEST(SourcePages, linesThatWereChangedAreOfNoNode)
{
    const ir::Model model = parsed(traced);
    const Folder folder;
    folder.write("nets/net.py", "def forward(x):\n    y = relu(x)\n    z = other(y)\n    return abs(z)\n");
    const std::vector<fs::path> roots{folder.path()};
    const print::SourcePage page = mustRead(model, {Kind::Python, "far/nets/net.py"}, roots);
    EXPECT_EQ(nodesByLine(model, page), "2 relu, 4 abs");
    EXPECT_TRUE(page.note.starts_with("1 of 3 nodes")) << page.note;
}

TEST(SourcePages, aFileOfTheSameNameIsAnotherOne)
{
    const ir::Model model = parsed(traced);
    const Folder folder;
    folder.write("net.py", "import os\n");
    const std::vector<fs::path> roots{folder.path()};
    EXPECT_FALSE(print::sourcePage(model, ir::FunctionId{0}, {Kind::Python, "far/nets/net.py"}, roots));
}

TEST(SourcePages, nothingIsReadThroughLinksOutOfAFolder)
{
    const Folder outside, folder;
    outside.write("net.py", "def forward(x):\n    y = relu(x)\n");
    fs::create_directories(folder.path() / "far/nets");
    fs::create_symlink(outside.path() / "net.py", folder.path() / "far/nets/net.py");
    const std::vector<fs::path> roots{folder.path()};
    const ir::Model model = parsed(traced);
    EXPECT_FALSE(print::sourcePage(model, ir::FunctionId{0}, {Kind::Python, "far/nets/net.py"}, roots));
    const ir::Model climbing = parsed("model \"m\"\ngraph @forward(%x: float32[2]) {\n  %a = aten::relu(%x) at "
                                      "\"../../../../etc/passwd\":1\n  return %a\n}\n");
    EXPECT_FALSE(print::sourcePage(climbing, ir::FunctionId{0}, {Kind::Python, "../../../../etc/passwd"}, roots));
}

// ---- code of a TorchScript archive

constexpr std::string_view code = "class Net(Module):\n"
                                  "  __parameters__ = []\n"
                                  "  __buffers__ = []\n"
                                  "  def forward(self: __torch__.Net,\n"
                                  "    x: Tensor) -> Tensor:\n"
                                  "    y = torch.relu(x)\n"
                                  "    return torch.neg(y)\n";

/// An archive of `code` with these records of where it comes from.
std::string archive(const std::string &ranges)
{
    tests::ArchiveText text;
    text.code = code;
    if (!ranges.empty())
        text.more = {{"net/code/__torch__.py.debug_pkl", ranges}};
    return text.bytes();
}

/// A record: the code from `word` on comes from this source.
std::string record(std::string_view word, const std::string &source, int start)
{
    using namespace tests::pickled;
    return tuple({integer(int(code.find(word))), tuple({source, integer(start), integer(start + 1)}), integer(0)});
}

std::string sourceOf(std::vector<int> pieces, int file, int firstLine)
{
    using namespace tests::pickled;
    std::vector<std::string> ids;
    for (const int piece : pieces)
        ids.push_back(integer(piece));
    return tuple(
        {call(global("torch.jit._pickle", "build_intlist"), tuple({list(ids)})), integer(file), integer(firstLine)});
}

std::string rangesOf(const std::vector<std::string> &strings, const std::vector<std::string> &records)
{
    using tests::pickled::list, tests::pickled::pickle, tests::pickled::tuple;
    std::vector<std::string> texts;
    for (const std::string &each : strings)
        texts.push_back(tests::pickled::text(each));
    return pickle(tuple({tests::pickled::text("FORMAT_WITH_STRING_TABLE"), list(texts), list(records)}));
}

print::SourcePage codePage(const std::string &ranges, std::string &nodes)
{
    const tests::TemporaryFile file(archive(ranges), ".pt");
    const auto model = formats::open(file.path());
    EXPECT_TRUE(model) << model.error().text();
    const print::SourcePage page = mustRead(*model, {Kind::Code, "code/__torch__.py"});
    nodes = nodesByLine(*model, page);
    return page;
}

TEST(SourcePages, codeOfAnArchiveIsJoinedByThePythonLines)
{
    const std::string lines = sourceOf({1, 2, 3}, 4, 20); // 22 and 42 letters on
    std::string nodes;
    const print::SourcePage page =
        codePage(rangesOf({"", "def forward(self, x):\n", "    y = relu(x)    #\n", "    return neg(y)\n", "a.py"},
                          {record("y = ", lines, 26), record("return torch", lines, 47)}),
                 nodes);
    EXPECT_EQ(nodes, "6 relu, 7 neg");
    EXPECT_EQ(page.text, code);
    EXPECT_EQ(page.syntax, "Python");
}

TEST(SourcePages, tracedCodeIsJoinedByWholeStacks)
{
    const std::string first = sourceOf({1, 3}, 4, 7), second = sourceOf({2, 3}, 4, 8);
    std::string nodes;
    codePage(rangesOf({"", "a.py(7): forward\n", "a.py(8): forward\n", "b.py(1): main\n", "a.py"},
                      {record("y = ", first, 0), record("return torch", second, 0)}),
             nodes);
    EXPECT_EQ(nodes, "6 relu, 7 neg");
}

TEST(SourcePages, withoutRecordsNodesNameTheCodeItself)
{
    std::string nodes;
    codePage("", nodes);
    EXPECT_EQ(nodes, "6 relu, 7 neg");
}

// ---- records

TEST(SourcePages, jsonIsIndentedAndNodesAreFoundByTheirResults)
{
    const print::IndentedJson json = print::indentedJson(
        R"({"graph": {"nodes": [{"target": "a\"b", "inputs": [], "outputs": [{"as_tensor": {"name": "relu"}}]},)"
        R"({"target":"c","inputs":[{"arg":{"name":"relu"}}],"outputs":[{"as_sym_int":{"as_name":"s"}}]}]}})");
    EXPECT_EQ(json.text, R"({
  "graph": {
    "nodes": [
      {
        "target": "a\"b",
        "inputs": [],
        "outputs": [
          {
            "as_tensor": {
              "name": "relu"
            }
          }
        ]
      },
      {
        "target": "c",
        "inputs": [
          {
            "arg": {
              "name": "relu"
            }
          }
        ],
        "outputs": [
          {
            "as_sym_int": {
              "as_name": "s"
            }
          }
        ]
      }
    ]
  }
}
)");
    ASSERT_EQ(json.records.size(), 2U);
    EXPECT_EQ(json.records[0].result, "relu");
    EXPECT_EQ(json.records[0].first, 4U);
    EXPECT_EQ(json.records[0].last, 14U);
    EXPECT_EQ(json.records[1].result, "s");
    EXPECT_EQ(json.records[1].first, 15U);
}

TEST(SourcePages, whatIsNoJsonIsText)
{
    for (const char *text : {"", "}", "]]", "\"", "\"a", "{\"a\\", "{\"name\":\"x\"", "[,,:]"})
        print::indentedJson(text);
}

TEST(SourcePages, onnxModelsHaveTheirTextForm)
{
    ir::Model model = parsed("model \"m\"\nformat \"onnx\" \"ir 8\"\nopset \"ai.onnx\" 17\ngraph @main(%x: float32[2]) "
                             "{\n  %a = onnx::Relu(%x)\n  %b = onnx::Neg(%a)\n  return %b\n}\n");
    EXPECT_EQ(names(print::pagesOf(model, ir::FunctionId{0})), "0 1");
    const print::SourcePage page = mustRead(model, {Kind::Record});
    EXPECT_EQ(nodesByLine(model, page), "3 Relu, 4 Neg");
}

/// A graph with its nodes in the one kernel that Inductor made of it. `code`: the kind of record that has the code.
/// `body`: the statements of the kernel.
Result<ir::Model> inKernels(std::string_view code = "inductor_output_code", const std::string &body = "")
{
    constexpr std::string_view id = R"("frame_id": 0, "frame_compile_id": 0, "attempt": 0)";
    const std::string log = test::record(R"("inductor_post_grad_graph": {})", id,
                                         "class GraphModule(torch.nn.Module):\n"
                                         "    def forward(self, x: \"f32[4]\"):\n"
                                         "        relu: \"f32[4]\" = torch.ops.aten.relu.default(x)\n"
                                         "        neg: \"f32[4]\" = torch.ops.aten.neg.default(relu)\n"
                                         "        return (neg,)")
        + test::record(formatted(R"("{}": {{}})", code), id,
                       "# AOT ID: ['0_inference']\n"
                       "cpp_fused_neg_relu_0 = async_compile.cpp_pybinding(['float*'], r'''\n"
                       "extern \"C\" void kernel(const float* in_ptr0, float* out_ptr0)\n"
                           + body
                           + "''')\n"
                             "def call(args):\n"
                             "    cpp_fused_neg_relu_0(x, buf0)");
    CUTAWAY_TRY(const TemporaryFolder folder, TemporaryFolder::make());
    CUTAWAY_RETURN_IF_ERROR(writeWholeFile(folder.path() / "run.log", log));
    return sequence::openInKernels((folder.path() / "run.log").string() + "#0/0/inductor_post_grad_graph");
}

TEST(SourcePages, inductorsCodeHasTheNodesOfKernelsAtTheirLines)
{
    const auto model = inKernels();
    ASSERT_TRUE(model) << model.error().text();
    EXPECT_EQ(names(print::pagesOf(*model, ir::FunctionId{0})), "4inductor_output_code 0");
    const print::SourcePage page = mustRead(*model, {Kind::Kernels, "inductor_output_code"});
    EXPECT_TRUE(page.text.starts_with("# AOT ID"));
    EXPECT_EQ(page.syntax, "Python");
    EXPECT_EQ(nodesByLine(*model, page), "2 relu, 2 neg, 3 relu, 3 neg, 4 relu, 4 neg, 6 relu, 6 neg");
    EXPECT_FALSE(print::sourcePage(*model, ir::FunctionId{0}, {Kind::Kernels, "other"}, {}));
}

TEST(SourcePages, statementsOfAKernelHaveTheNodesThatTheyComputeAndItsHeadNone)
{
    const auto model = inKernels("inductor_output_code",
                                 "auto tmp0 = in_ptr0[x0];\nauto tmp1 = std::max(tmp0, decltype(tmp0)(0));\n"
                                 "auto tmp2 = decltype(tmp1)(-tmp1);\nout_ptr0[x0] = tmp2;\n");
    ASSERT_TRUE(model) << model.error().text();
    const print::SourcePage page = mustRead(*model, {Kind::Kernels, "inductor_output_code"});
    EXPECT_EQ(nodesByLine(*model, page), "4 relu, 5 relu, 6 neg, 7 neg, 10 relu, 10 neg");
}

TEST(SourcePages, inductorsCodeAheadOfTimeIsCpp)
{
    for (const std::string name : {"inductor_aot_code", "inductor_aot_wrapper_code"}) {
        const auto model = inKernels(name);
        ASSERT_TRUE(model) << model.error().text();
        EXPECT_EQ(mustRead(*model, {Kind::Kernels, name}).syntax, "C++") << name;
    }
}

TEST(SourcePages, linesThatInductorsCodeDoesNotHaveAreOfNoNode)
{
    auto model = inKernels();
    ASSERT_TRUE(model) << model.error().text();
    std::vector<ir::Operand> lines;
    for (const std::int64_t line : {-1ll, 3ll, 0ll, 3ll, 1ll, 1ll << 40, 6ll, 6ll, 100ll, 0xffff'ffffll})
        lines.emplace_back(line);
    for (std::uint32_t i = 0; i < model->modules.size(); ++i)
        for (ir::ModuleAttribute &attribute : model->modules.edit(i).attributes)
            if (model->context->text(attribute.name) == "code_lines")
                attribute.value = ir::List{lines};
    const print::SourcePage page = mustRead(*model, {Kind::Kernels, "inductor_output_code"});
    EXPECT_EQ(nodesByLine(*model, page), "6 relu, 6 neg");
}

} // namespace
} // namespace cutaway::test
