// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/torchscript/code.h"

#include "tests/core/formats/zip_writer.h"

#include <gtest/gtest.h>

namespace cutaway::formats::torchscript {
namespace {

using tests::ZipEntry;

/// Code of an archive that lies as long as it.
class CodeOf {
public:
    explicit CodeOf(const std::vector<ZipEntry> &entries) : m_bytes(tests::zipArchive(entries))
    {
        const auto zip = archive::Zip::open(std::as_bytes(std::span(m_bytes)));
        EXPECT_TRUE(zip);
        auto code = Code::read(*zip, "net/code/", m_notes, {});
        EXPECT_TRUE(code);
        m_code = std::move(*code);
    }

    const Code &operator*() const { return m_code; }
    const Code *operator->() const { return &m_code; }
    const std::vector<ir::Diagnostic> &diagnostics() const { return m_model.diagnostics; }
    std::string messages() const
    {
        std::string all;
        for (const ir::Diagnostic &diagnostic : m_model.diagnostics)
            all += diagnostic.message + "\n";
        return all;
    }

private:
    std::string m_bytes;
    ir::Model m_model;
    Notes m_notes{m_model};
    Code m_code;
};

constexpr std::string_view netSource = "class Net(Module):\n"
                                       "  __parameters__ = [\"w\", ]\n"
                                       "  __buffers__ = []\n"
                                       "  w : Tensor\n"
                                       "  def forward(self: __torch__.a.b.Net,\n"
                                       "    x: Tensor) -> Tensor:\n"
                                       "    return x\n"
                                       "  def other(self: __torch__.a.b.Net) -> int:\n"
                                       "    return 1\n"
                                       "def twice(x: Tensor) -> Tensor:\n"
                                       "  return torch.mul(x, 2)\n";

TEST(Code, definitionsGoByTheirFilesNames)
{
    const CodeOf code({{"net/code/__torch__/a/b.py", std::string(netSource)},
                       {"net/code/__torch__.py", "class Top(Module):\n  __parameters__ = []\n"},
                       {"net/code/__torch__/a/___torch_mangle_7.py", "class C:\n  x : int\n"}});
    for (const char *name : {"__torch__.a.b.Net", "__torch__.Top", "__torch__.a.___torch_mangle_7.C"}) {
        const ClassDefinition *found = code->findClass(name);
        ASSERT_NE(found, nullptr) << name;
        EXPECT_EQ(found->name, name);
    }
    EXPECT_EQ(code->findClass("__torch__.a.Net"), nullptr);
    EXPECT_EQ(code.messages(), "");
}

TEST(Code, methodsAreFoundByFullAndByPlainName)
{
    const CodeOf code({{"net/code/__torch__/a/b.py", std::string(netSource)}});
    const ClassDefinition *net = code->findClass("__torch__.a.b.Net");
    ASSERT_NE(net, nullptr);
    const FunctionDefinition *forward = code->findFunction("__torch__.a.b.Net.forward");
    ASSERT_NE(forward, nullptr);
    EXPECT_EQ(net->method("forward"), forward);
    EXPECT_EQ(forward->owner, net);
    EXPECT_EQ(net->method("backward"), nullptr);
    EXPECT_NE(net->field("w"), nullptr);
    EXPECT_EQ(net->field("v"), nullptr);

    const FunctionDefinition *twice = code->findFunction("__torch__.a.b.twice");
    ASSERT_NE(twice, nullptr);
    EXPECT_EQ(twice->owner, nullptr);
    std::vector<std::string> names;
    for (const auto &function : code->functions())
        names.push_back(function->name);
    EXPECT_EQ(
        names,
        (std::vector<std::string>{"__torch__.a.b.Net.forward", "__torch__.a.b.Net.other", "__torch__.a.b.twice"}));
}

TEST(Code, unitsKnowTheirMemberWithoutTheRoot)
{
    const CodeOf code({{"net/code/__torch__/a/b.py", std::string(netSource)}, {"net/data.pkl", ""}});
    ASSERT_EQ(code->units().size(), 1u);
    EXPECT_EQ(code->units()[0]->member, "code/__torch__/a/b.py");
    EXPECT_EQ(code->units()[0]->content.text(), netSource);
    EXPECT_FALSE(code->units()[0]->ranges);
}

struct Fault {
    std::string name;
    std::vector<ZipEntry> entries;
    ir::Severity severity;
    std::string message; ///< a part
};

class CodeFaults : public testing::TestWithParam<Fault> { };

TEST_P(CodeFaults, areNotesAndTheRestIsRead)
{
    auto entries = GetParam().entries;
    entries.push_back({"net/code/__torch__/last.py", "def f(x: Tensor) -> Tensor:\n  return x\n"});
    const CodeOf code(entries);
    ASSERT_EQ(code.diagnostics().size(), 1u);
    EXPECT_EQ(code.diagnostics()[0].severity, GetParam().severity);
    EXPECT_NE(code.messages().find(GetParam().message), std::string::npos) << code.messages();
    EXPECT_NE(code->findFunction("__torch__.last.f"), nullptr);
}

INSTANTIATE_TEST_SUITE_P(
    , CodeFaults,
    testing::Values(Fault{"noSource",
                          {{"net/code/__torch__/a.py", "def f(:\n"}},
                          ir::Severity::Error,
                          "(code/__torch__/a.py, line 1, column 7)"},
                    Fault{"damagedRanges",
                          {{"net/code/__torch__/a.py", ""}, {"net/code/__torch__/a.py.debug_pkl", "\x80\x02"}},
                          ir::Severity::Info,
                          "the places of \"net/code/__torch__/a.py\""},
                    Fault{"aClassTwice",
                          {{"net/code/__torch__/a.py", "class C:\n  x : int\nclass C:\n  y : int\n"}},
                          ir::Severity::Warning,
                          "\"__torch__.a.C\" is defined a second time"},
                    Fault{"aFunctionTwice",
                          {{"net/code/__torch__/a.py",
                            "def f(x: int) -> int:\n  return x\ndef f(y: int) -> int:\n  return y\n"}},
                          ir::Severity::Warning,
                          "\"__torch__.a.f\" is defined a second time"},
                    Fault{"aNameThatTorchCannotReadBack",
                          {{"net/code/__torch__/a.py", "class C:\n  class : int\n"}},
                          ir::Severity::Info,
                          "line 2"}),
    [](const auto &row) { return row.param.name; });

TEST(Code, theFirstDefinitionOfANameStays)
{
    const CodeOf code({{"net/code/__torch__/a.py", "class C:\n  x : int\nclass C:\n  y : int\n"}});
    ASSERT_NE(code->findClass("__torch__.a.C"), nullptr);
    EXPECT_NE(code->findClass("__torch__.a.C")->field("x"), nullptr);
    EXPECT_EQ(code->classes().size(), 1u);
}

TEST(Code, cancellingEndsIt)
{
    const std::string bytes = tests::zipArchive({{"net/code/a.py", ""}});
    const auto zip = archive::Zip::open(std::as_bytes(std::span(bytes)));
    ir::Model model;
    Notes notes(model);
    std::stop_source stop;
    stop.request_stop();
    const auto code = Code::read(*zip, "net/code/", notes, {stop.get_token(), {}});
    ASSERT_FALSE(code);
    EXPECT_EQ(code.error().kind, ErrorKind::Cancelled);
}

} // namespace
} // namespace cutaway::formats::torchscript
