// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The steps of passes as a folder of pictures and two pages.
#include "core/report/step_pictures.h"

#include "core/ir/context.h"
#include "core/ir/text/text.h"

#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

namespace cutaway::test {
namespace {

std::string textOf(const std::filesystem::path &file)
{
    std::stringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

class StepPictures : public ::testing::Test {
protected:
    StepPictures() : folder(std::filesystem::temp_directory_path() / ("cutaway-tst-sequence-" + testName()))
    {
        removeFolder();
    }
    static std::string testName() { return ::testing::UnitTest::GetInstance()->current_test_info()->name(); }
    ~StepPictures() override { removeFolder(); }
    void removeFolder() const { std::filesystem::remove_all(folder); }

    passes::History ran(const std::string &pipeline) const
    {
        auto model = ir::parseText("model \"m\"\ngraph @forward(%x: float32[2]) {\n"
                                   "  %a: float32[2] = aten::dropout(input=%x, p=0.5, train=false)\n"
                                   "  %r: float32[2] = aten::relu(self=%a)\n  return %r\n}\n");
        EXPECT_TRUE(model) << (model ? "" : model.error().text());
        passes::History history(std::make_shared<const ir::Model>(std::move(*model)), ir::FunctionId{0});
        history.run(*passes::parsePipeline(pipeline));
        return history;
    }

    std::filesystem::path folder;
};

TEST_F(StepPictures, hasAPictureOfEachStepThatChangedSomething)
{
    ASSERT_TRUE(report::writeStepPictures(ran("common-subexpressions,remove-identities"), folder));
    std::set<std::string> files;
    for (const auto &entry : std::filesystem::directory_iterator(folder))
        files.insert(entry.path().filename());
    EXPECT_EQ(files, (std::set<std::string>{"00-file.svg", "02-remove-identities.svg", "index.html", "index.md"}));
    EXPECT_EQ(textOf(folder / "00-file.svg").find("class=\"badge\""), std::string::npos);
    EXPECT_NE(textOf(folder / "02-remove-identities.svg").find("removed\"><title>dropout"), std::string::npos);
}

TEST_F(StepPictures, tellsTheFiguresOfTheSteps)
{
    ASSERT_TRUE(report::writeStepPictures(ran("common-subexpressions,remove-identities"), folder));
    const std::string markdown = textOf(folder / "index.md");
    EXPECT_NE(markdown.find("1 step changed nothing."), std::string::npos) << markdown;
    EXPECT_NE(markdown.find("(02-remove-identities.svg)"), std::string::npos) << markdown;
    EXPECT_NE(textOf(folder / "index.html").find("<svg"), std::string::npos);
}

TEST_F(StepPictures, saysThatTheFolderCannotBeMade)
{
    std::ofstream(folder) << "a file";
    const auto written = report::writeStepPictures(ran("dead-code"), folder / "in" / "it");
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().kind, ErrorKind::Backend);
    EXPECT_NE(written.error().text().find("cannot create the folder"), std::string::npos);
}

} // namespace
} // namespace cutaway::test
