// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/text/text.h"
#include "core/passes/pass.h"
#include "core/plugin/plugin_passes.h"
#include "core/rewrite/rewriter.h"
#include "tests/core/plugin/fake_plugin.h"
#include "tests/core/plugin/folder.h"

namespace cutaway::plugin {

namespace {

class PassOfAPlugin : public Folder { };

/// Returns the fake plugin's text about the files of its model.
std::string sayingOf(const ir::Model &model, const Target &target)
{
    Found found;
    found.plugins.push_back(fakePlugin());
    found.plugins.back().passes.push_back({"look", "", {}});
    const PluginPasses offered(found, target);
    ir::Model changed = model;
    const Task task; // outlives the rewriter, which keeps a reference
    rewrite::Rewriter rewriter(changed, ir::FunctionId{0}, []() -> const analysis::Shapes & { std::abort(); }, task);
    const auto outcome = offered.all().front()->run(rewriter, passes::Settings());
    return outcome ? "no failure" : outcome.error().text();
}

TEST_F(PassOfAPlugin, isToldWhereTheWeightsLieAndMayReadThem)
{
    write("folder/weights.bin", "1234");
    auto model = ir::parseText("model \"m\"\ngraph @forward(%x: int) {\n  return %x\n}\n").value();
    model.files.push_back({std::filesystem::relative(path("folder/weights.bin")), nullptr});
    EXPECT_NE(sayingOf(model, Target()).find("whole done"), std::string::npos) << sayingOf(model, Target());
    EXPECT_NE(sayingOf(model, withoutSandbox()).find("whole done"), std::string::npos);
    model.files.push_back({"missing.bin", nullptr});
    EXPECT_NE(sayingOf(model, Target()).find("whole done FileNotFoundError"), std::string::npos);
}

} // namespace

} // namespace cutaway::plugin
