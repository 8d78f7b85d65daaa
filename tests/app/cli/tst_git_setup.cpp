// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "program.h"

namespace {

using cutaway::ProcessOutput;
using cutaway::test::Program;

/// In a repository of its own that has small.onnx in it; the user's settings are in the same folder.
class GitSetup : public Program {
protected:
    ProcessOutput inRepository(const std::string &command)
    {
        return shell("export HOME=$PWD XDG_CONFIG_HOME= GIT_CONFIG_NOSYSTEM=1 GIT_PAGER=cat; mkdir -p r; cd r; "
                     + command);
    }

    void SetUp() override
    {
        const auto made = inRepository("git init -q . && cp ../small.onnx m.onnx && git config user.name a"
                                       " && git config user.email a@b && git add m.onnx && git commit -q -m first");
        ASSERT_EQ(made.exitCode, 0) << made.standardError;
    }

    /// The model with a Selu in place of its Relu.
    void changeModel() { ASSERT_EQ(inRepository("sed -i 's/Relu/Selu/g' m.onnx").exitCode, 0); }
};

TEST_F(GitSetup, makesGitShowModelsAsText)
{
    ASSERT_EQ(inRepository("\"$CLI\" git-setup").exitCode, 0);
    changeModel();
    const auto output = inRepository("git diff -- m.onnx");
    EXPECT_EQ(output.exitCode, 0) << output.standardError;
    EXPECT_TRUE(output.standardOutput.contains("onnx::Selu(%x)")) << output.standardOutput;
}

TEST_F(GitSetup, makesGitCompareModels)
{
    ASSERT_EQ(inRepository("\"$CLI\" git-setup").exitCode, 0);
    changeModel();
    const auto output = inRepository("git difftool --no-prompt --tool=cutaway -- m.onnx");
    EXPECT_TRUE(output.standardOutput.contains("# operator: onnx::Relu -> onnx::Selu")) << output.standardOutput;
}

TEST_F(GitSetup, leavesDiffsOfOtherFilesAlive)
{
    ASSERT_EQ(inRepository("echo one > w.pt && git add w.pt && git commit -q -m second && \"$CLI\" git-setup").exitCode,
              0);
    const auto output = inRepository("echo two > w.pt; git diff -- w.pt");
    EXPECT_EQ(output.exitCode, 0) << output.standardError;
    EXPECT_TRUE(output.standardOutput.contains("not a model that Cutaway reads")) << output.standardOutput;
}

TEST_F(GitSetup, onlyShowsInADryRun)
{
    const auto output = inRepository("\"$CLI\" git-setup --dry-run");
    EXPECT_EQ(output.exitCode, 0) << output.standardError;
    EXPECT_TRUE(output.standardOutput.starts_with("Nothing is written;")) << output.standardOutput;
    EXPECT_TRUE(output.standardOutput.contains("\ngit config --local diff.cutaway.textconv '"))
        << output.standardOutput;
    EXPECT_TRUE(output.standardOutput.contains("/r/.gitattributes: *.onnx diff=cutaway\n")) << output.standardOutput;
    EXPECT_EQ(inRepository("git config --get-regexp cutaway; ls .gitattributes 2>/dev/null").standardOutput, "");
}

TEST_F(GitSetup, writesWhatItShows)
{
    const auto shown = inRepository("\"$CLI\" git-setup --dry-run").standardOutput;
    EXPECT_EQ(inRepository("\"$CLI\" git-setup").standardOutput, shown.substr(shown.find('\n') + 1));
    EXPECT_EQ(inRepository("cat .gitattributes").standardOutput,
              "*.onnx diff=cutaway\n*.pt2 diff=cutaway\n*.pt diff=cutaway\n*.ptl diff=cutaway\n");
}

TEST_F(GitSetup, changesNothingTheSecondTime)
{
    ASSERT_EQ(inRepository("printf '*.onnx filter=lfs diff=lfs -text' > .gitattributes; \"$CLI\" git-setup").exitCode,
              0);
    const std::string written = inRepository("cat .gitattributes .git/config").standardOutput;
    EXPECT_TRUE(written.starts_with("*.onnx filter=lfs diff=lfs -text\n*.onnx diff=cutaway\n")) << written;
    const auto again = inRepository("\"$CLI\" git-setup");
    EXPECT_EQ(again.exitCode, 0);
    EXPECT_EQ(inRepository("cat .gitattributes .git/config").standardOutput, written);
    const auto lines = inRepository("\"$CLI\" git-setup | grep -vc '^already there: '");
    EXPECT_EQ(lines.standardOutput, "0\n") << again.standardOutput;
}

TEST_F(GitSetup, globallyIsForAllRepositories)
{
    ASSERT_EQ(inRepository("cd ..; \"$CLI\" git-setup --global").exitCode, 0);
    EXPECT_EQ(inRepository("git check-attr diff -- any.onnx").standardOutput, "any.onnx: diff: cutaway\n");
    EXPECT_EQ(inRepository("git config --global --get difftool.cutaway.cmd >/dev/null").exitCode, 0);
    ASSERT_EQ(inRepository("ln -s ../own own.link; git config --global core.attributesFile ~/r/own.link"
                           " && \"$CLI\" git-setup --global && test -h own.link")
                  .exitCode,
              0);
    EXPECT_TRUE(inRepository("cat ../own").standardOutput.starts_with("*.onnx diff=cutaway\n"));
}

TEST_F(GitSetup, outsideARepositoryIsWrongUsage)
{
    const auto output = inRepository("cd ..; GIT_CEILING_DIRECTORIES=$PWD/.. \"$CLI\" git-setup");
    EXPECT_EQ(output.exitCode, 2) << output.standardOutput;
    EXPECT_TRUE(output.standardError.contains("in no git repository")) << output.standardError;
}

} // namespace
