// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/pt2/read/provenance.h"

#include "core/ir/context.h"

#include <gtest/gtest.h>

namespace cutaway::formats::pt2 {
namespace {

struct ModulePathRow {
    std::string name;
    std::string written;
    std::string plain;
};

class ModulePaths : public testing::TestWithParam<ModulePathRow> { };

TEST_P(ModulePaths, arePlain) { EXPECT_EQ(plainModulePath(GetParam().written), GetParam().plain); }

INSTANTIATE_TEST_SUITE_P(
    , ModulePaths,
    testing::Values(ModulePathRow{"root", "", ""}, ModulePathRow{"plain", "layer1.0.conv", "layer1.0.conv"},
                    ModulePathRow{"self", "L['self']", ""}, ModulePathRow{"attribute", "L['self'].layer1", "layer1"},
                    ModulePathRow{"another_root", "L['fn']", ""},
                    ModulePathRow{"in_another_root", "getattr(getattr(L['fn'], '2'), '0')", "2.0"},
                    ModulePathRow{"attribute_of_another", "L[\"mod\"].a[1]", "a.1"},
                    ModulePathRow{"export_root", "_export_root", ""},
                    ModulePathRow{"in_export_root", "_export_root.l.0", "l.0"},
                    ModulePathRow{"getattr", "getattr(L['self'].layer1, '0')", "layer1.0"},
                    ModulePathRow{"nested", "getattr(getattr(L['self'].a, \"1\").b, '2')", "a.1.b.2"},
                    ModulePathRow{"index", "L['self'].blocks[0].fc", "blocks.0.fc"},
                    ModulePathRow{"unbalanced", "getattr(L['self'], 'a'", "getattr(L.self, a"}),
    [](const auto &row) { return row.param.name; });

class Provenance : public testing::Test {
protected:
    ir::Model model;
    Task task;
    Reading reading{model, task};
    ProvenanceReader provenance{reading, ""};
    const ir::Context &context() const { return *model.context; }

    std::string show(ir::ScopeId id) const
    {
        const ir::Scope &scope = context().at(id);
        const std::string own = std::string(context().text(scope.name)) + ":"
            + std::string(context().text(scope.className)) + (scope.call ? "@" + std::to_string(scope.call) : "");
        return id == ir::ScopeId{} ? "" : show(scope.parent) + "/" + own;
    }
    std::string show(ir::LocationId id) const
    {
        const ir::Location &place = context().at(id);
        return id == ir::LocationId{} ? ""
                                      : std::string(context().text(place.file)) + ":" + std::to_string(place.line) + " "
                + std::string(context().text(place.function)) + " " + std::string(context().text(place.text)) + "|"
                + show(place.caller);
    }
};

TEST_F(Provenance, stackBecomesNestedScopes)
{
    EXPECT_EQ(show(provenance.scope("L__self__,,net.Net;L__self___a,a,nn.Sequential;L__self___a_0@2,a.0,nn.Linear")),
              "/a:nn.Sequential/0:nn.Linear@2");
    EXPECT_EQ(context().text(model.modules[0].className), "net.Net");
    EXPECT_EQ(context().text(model.at(model.moduleAt("a.0")).className), "nn.Linear");
}

TEST_F(Provenance, absurdlyDeepPathsAreTheRoot)
{
    EXPECT_EQ(provenance.module(std::string(100'000, '.')), ir::ModuleId{0});
    EXPECT_EQ(model.modules.size(), 1u);
}

TEST_F(Provenance, moduleOutsideOfItsCallerKeepsItsWholePath)
{
    EXPECT_EQ(show(provenance.scope("k,,Net;k,a,A;k,shared.fc,Linear")), "/a:A/shared.fc:Linear");
}

TEST_F(Provenance, stacksWithoutModulesAreTheRoot)
{
    EXPECT_EQ(provenance.scope("_empty_nn_module_stack_from_metadata_hook,x,x"), ir::ScopeId{});
    EXPECT_EQ(provenance.scope("nonsense"), ir::ScopeId{});
}

TEST_F(Provenance, lastRealFrameIsTheLocationAndTheOthersItsCallers)
{
    const auto id = provenance.location("  File \"net.py\", line 3, in forward\n    return self.f(x)\n"
                                        "  [Previous line repeated 1 more time]\n"
                                        "  File \"a, b.py\", line 7, in f\n    return x + 1\n           ~~^~~\n"
                                        "  File \"<eval_with_key>.1\", line 9, in forward\n    add = x + 1\n");
    EXPECT_EQ(show(id), "a, b.py:7 f return x + 1|net.py:3 forward return self.f(x)|");
}

TEST_F(Provenance, frameWithoutCodeHasNone)
{
    EXPECT_EQ(show(provenance.location("File \"a.py\", line 1, in f\nFile \"b.py\", line 2, in g")),
              "b.py:2 g |a.py:1 f |");
    EXPECT_EQ(provenance.location("no traceback"), ir::LocationId{});
}

} // namespace
} // namespace cutaway::formats::pt2
