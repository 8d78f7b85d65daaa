// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/about/completions.h"
#include "app/about/manual.h"
#include "app/about/pages.h"
#include "app/about/reference.h"
#include "core/base/temporary_folder.h"

#include <CLI/CLI.hpp>
#include <gtest/gtest.h>

namespace cutaway::test {
namespace {

/// A program with a command, which has a command of its own.
class Pages : public testing::Test {
protected:
    Pages()
    {
        app.set_help_flag("-h,--help", "Print this help");
        app.footer("More of the tool");
        CLI::App *print = app.add_subcommand("print", "Print the graph: as text");
        print->add_option("FILE", text, "The model file")->required()->type_name("");
        print->add_option("--as", text, "fx: a table; ir: text")
            ->type_name("FORM")
            ->check(CLI::IsMember({"ir", "fx"}))
            ->default_str("ir");
        print->add_option("-o,--output", text, "Write it to this file: it's new")->type_name("FILE");
        print->footer("More of print");
        CLI::App *all = print->add_subcommand("all", "Print everything");
        all->add_flag("--full", flag, "With weights [all] (slow)");
        all->add_option("--into", text, "Where to")->type_name("FOLDER");
        all->add_option("--against", text, "What with")->type_name("FILE[:NAME]")->check(CLI::ExistingFile);
        all->add_flag("--secret", flag)->group("");
        app.add_subcommand("hidden", "Not listed")->group("");
    }

    CLI::App app{"A tool; for tests", "tool"};
    std::string text;
    bool flag = false;
    about::DeclaredCommand tool() const { return about::declared(app); }
};

TEST_F(Pages, whatIsDeclaredIsKnown)
{
    const about::DeclaredCommand tool = this->tool();
    ASSERT_EQ(tool.commands.size(), 1u);
    const about::DeclaredCommand &print = tool.commands[0];
    EXPECT_EQ(print.path, (std::vector<std::string>{"tool", "print"}));
    ASSERT_EQ(print.arguments.size(), 1u);
    EXPECT_EQ(print.arguments[0].names, std::vector<std::string>{"FILE"});
    EXPECT_TRUE(print.arguments[0].isRequired);
    ASSERT_EQ(print.options.size(), 3u);
    EXPECT_TRUE(print.options[0].isFlag());
    EXPECT_EQ(print.options[1].choices, (std::vector<std::string>{"ir", "fx"}));
    EXPECT_EQ(print.options[1].value, "FORM");
    EXPECT_EQ(print.options[1].defaultValue, "ir");
    EXPECT_EQ(print.options[2].names, (std::vector<std::string>{"-o", "--output"}));
    EXPECT_TRUE(print.options[2].takesFile());
    ASSERT_EQ(print.commands.size(), 1u);
    const about::DeclaredOption &against = print.commands[0].options.back();
    EXPECT_EQ(against.value, "FILE[:NAME]");
    EXPECT_TRUE(against.takesFile());
    EXPECT_EQ(print.commands[0].options.size(), 4u) << "the hidden option is not among them";
}

TEST_F(Pages, aSummaryHasNoDetails)
{
    EXPECT_EQ(about::summaryOf("Print the graph: as text"), "Print the graph");
    EXPECT_EQ(about::summaryOf("With weights [all] (slow)"), "With weights [all]");
    EXPECT_EQ(about::summaryOf("fx: a table; ir: text"), "fx: a table; ir: text");
}

TEST_F(Pages, aManualPageIsTroff)
{
    const std::string page = about::manualPage(tool().commands[0], "1.2", "2026-11-24");
    EXPECT_NE(page.find(".TH TOOL\\-PRINT 1 2026-11-24 \"Cutaway 1.2\""), std::string::npos) << page;
    EXPECT_NE(page.find("\ntool\\-print \\- Print the graph\n"), std::string::npos) << page;
    EXPECT_NE(
        page.find("\n.TP\n\\fB\\-o\\fR, \\fB\\-\\-output\\fR \\fIFILE\\fR\nWrite it to this file: it\\(aqs new\n"),
        std::string::npos)
        << page;
    EXPECT_NE(page.find("One of: ir, fx.\n.br\nDefault: ir.\n"), std::string::npos) << page;
    EXPECT_NE(page.find("\\fB\\-\\-full\\fR\n"), std::string::npos) << page;
    EXPECT_EQ(page.find("secret"), std::string::npos) << page;
    EXPECT_NE(page.find(".SH MORE\nMore of print\n"), std::string::npos) << page;
    EXPECT_EQ(page.find("More of the tool"), std::string::npos) << "that stands on the tool's own page\n" << page;
}

TEST_F(Pages, aProgramsPageNamesThoseOfItsCommands)
{
    const std::string page = about::manualPage(tool(), "1.2", "2026-11-24");
    EXPECT_NE(page.find("\\fBprint\\fR\nPrint the graph: as text. See \\fBtool\\-print\\fR(1).\n"), std::string::npos)
        << page;
    EXPECT_EQ(page.find("hidden"), std::string::npos) << page;
}

TEST_F(Pages, bashCompletesByPlace)
{
    const std::string script = about::bashCompletion(tool());
    EXPECT_NE(script.find("'/print all') place=/print/all ;;"), std::string::npos) << script;
    EXPECT_NE(script.find("'/print --as') COMPREPLY=($(compgen -W 'ir fx' -- \"$word\")); return ;;"),
              std::string::npos)
        << script;
    EXPECT_NE(script.find("'/print/all --into') compopt -o filenames;"), std::string::npos) << script;
    EXPECT_NE(script.find("'') options='-h --help' commands='print' ;;"), std::string::npos) << script;
    EXPECT_NE(script.find("complete -o bashdefault -o default -F _tool tool\n"), std::string::npos) << script;
}

TEST_F(Pages, zshAndFishKnowTheSame)
{
    const std::string zsh = about::zshCompletion(tool()), fish = about::fishCompletion(tool());
    EXPECT_NE(zsh.find("'--as[fx\\: a table; ir\\: text]:FORM:(ir fx)'"), std::string::npos) << zsh;
    EXPECT_NE(zsh.find("'--full[With weights \\[all\\]]'"), std::string::npos) << zsh;
    EXPECT_NE(fish.find("complete -c tool -n '__fish_seen_subcommand_from print; and not __fish_seen_subcommand_from "
                        "all' -s o -l output -r -F -d 'Write it to this file'\n"),
              std::string::npos)
        << fish;
}

TEST_F(Pages, theManualHasAllInOnePage)
{
    const std::string page = about::referencePage(tool());
    EXPECT_TRUE(page.contains("# Command line\n\nA tool; for tests.\n\n```text\ntool [OPTIONS] COMMAND\n```\n"))
        << page;
    EXPECT_TRUE(page.contains("\n## `tool print`\n\nPrint the graph: as text.\n\n"
                              "```text\ntool print [OPTIONS] FILE [COMMAND]\n```\n\n- `FILE`: The model file.\n"))
        << page;
    EXPECT_TRUE(page.contains("- `--as FORM`: fx: a table; ir: text. One of: `ir`, `fx`. Default: `ir`.\n")) << page;
    EXPECT_TRUE(page.contains("- `-o`, `--output FILE`: Write it to this file: it's new.\n")) << page;
    EXPECT_TRUE(page.contains("\n### `tool print all`\n")) << page;
    EXPECT_TRUE(page.contains("- `--full`: With weights \\[all\\] (slow).\n")) << page;
    EXPECT_FALSE(page.contains("secret") || page.contains("hidden")) << page;
}

TEST_F(Pages, aPageIsWrittenForEachCommand)
{
    const auto folder = TemporaryFolder::make();
    ASSERT_TRUE(folder);
    ASSERT_TRUE(about::writePages(tool(), folder->path()));
    for (const char *page : {"man1/tool.1", "man1/tool-print.1", "bash-completion/tool", "zsh/_tool", "fish/tool.fish",
                             "reference/tool.md"})
        EXPECT_TRUE(std::filesystem::exists(folder->path() / page)) << page;
    EXPECT_FALSE(std::filesystem::exists(folder->path() / "man1/tool-hidden.1"));
    EXPECT_FALSE(about::writePages(tool(), "/dev/null"));
}

TEST_F(Pages, onlyOneCallWritesPages)
{
    std::string program = "tool", option = "--write-pages", folder = "/dev/null";
    std::vector<char *> arguments{program.data(), option.data(), folder.data()};
    EXPECT_EQ(about::answeredPages(app, 3, arguments.data()), 4);
    EXPECT_EQ(about::answeredPages(app, 2, arguments.data()), std::nullopt);
}

} // namespace
} // namespace cutaway::test
