// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "program.h"
#include "small_onnx.h"

#include <filesystem>

namespace cutaway::test {
namespace {

/// Folders a and b with two models each, the same four.
class Survey : public Program {
protected:
    Survey()
    {
        for (const std::string folder : {"a", "b"}) {
            std::filesystem::create_directory(path(folder));
            write(folder + "/small.onnx", smallOnnx());
            write(folder + "/gelu.onnx", onnxModel({{"Gelu", {"x"}, "y"}}, {{"x", {2}}}, {{"y", {2}}}));
            write(folder + "/broken.onnx", "what?");
        }
    }

    ProcessOutput survey(const std::string &folder, std::vector<std::string> more = {})
    {
        std::vector<std::string> arguments{"survey", path(folder), "-o", path(folder + ".db")};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run(arguments);
    }

    /// Returns the rows that a query of the database selects, with blanks between fields.
    std::string query(const std::string &database, const std::string &sql)
    {
        const ProcessOutput output = shell("python3 -c 'import sqlite3, sys\n"
                                           "for row in sqlite3.connect(sys.argv[1]).execute(sys.argv[2]):\n"
                                           "    print(*row)' '"
                                           + path(database) + "' \"" + sql + '"');
        EXPECT_EQ(output.exitCode, 0) << output.standardError;
        return output.standardOutput;
    }
};

TEST_F(Survey, keepsARowOfEachModelAndDoesNothingTwice)
{
    const ProcessOutput first = survey("a");
    EXPECT_EQ(first.exitCode, 0) << first.standardError;
    EXPECT_EQ(first.standardOutput,
              "3 models: 3 looked at, 0 known before\n"
              "  read  2\n"
              "  unreadable  1\n");
    EXPECT_EQ(query("a.db", "SELECT dialect, name, models, nodes FROM operator_use ORDER BY name"),
              "onnx Gelu 1 1\nonnx Relu 1 1\n");
    EXPECT_EQ(query("a.db",
                    "SELECT count(*), sum(message <> '') FROM models WHERE state = "
                    "'unreadable'"),
              "1 1\n");
    EXPECT_EQ(query("a.db",
                    "SELECT other_flops, other_flops_formula FROM costs JOIN models ON id = model "
                    "WHERE path LIKE '%small.onnx'"),
              "None 3*N\n");
    EXPECT_EQ(survey("a").standardOutput, "3 models: 0 looked at, 3 known before\n");
    write("a/small.onnx", onnxModel({{"Sigmoid", {"x"}, "y"}}, {{"x", {5}}}, {{"y", {5}}}));
    EXPECT_TRUE(survey("a").standardOutput.starts_with("3 models: 1 looked at, 2 known before\n"));
    EXPECT_EQ(query("a.db", "SELECT name FROM operators ORDER BY name"), "Gelu\nSigmoid\n");
}

TEST_F(Survey, givesSizesToModelsThatHaveThem)
{
    EXPECT_EQ(survey("a", {"--bind", "N=8"}).exitCode, 0);
    EXPECT_EQ(query("a.db",
                    "SELECT request, other_flops FROM costs JOIN models ON id = model "
                    "WHERE path LIKE '%small.onnx'"),
              "N=8 24\n");
    EXPECT_TRUE(survey("a").standardOutput.starts_with("3 models: 3 looked at, 0 known before\n"));
    EXPECT_EQ(query("a.db", "SELECT count(*) FROM models"), "3\n");
}

TEST_F(Survey, anOlderDatabaseGetsWhatItLacksAndANewerOneIsRefusedByName)
{
    ASSERT_EQ(survey("a").exitCode, 0);
    query("a.db", "DROP TABLE failed_requests");
    EXPECT_EQ(run({"report", path("a.db"), "-o", path("zoo.md")}).exitCode, 0);
    EXPECT_EQ(run({"query", "--in", path("a.db"), "op:Gelu", "--count"}).standardOutput, "1\n");
    EXPECT_TRUE(survey("a").standardOutput.starts_with("3 models: 1 looked at, 2 known before\n"));
    EXPECT_EQ(query("a.db", "SELECT count(*) FROM failed_requests"), "1\n");
    for (const char *version : {"0", "7"}) {
        shell("python3 -c 'import sqlite3, sys\n"
              "database = sqlite3.connect(sys.argv[1])\n"
              "database.execute(\"UPDATE survey SET value = ? WHERE key = ?\", (sys.argv[2], \"schema\"))\n"
              "database.commit()' '"
              + path("a.db") + "' " + version);
        const ProcessOutput refused = survey("a");
        EXPECT_EQ(refused.exitCode, 3);
        EXPECT_TRUE(refused.standardError.contains("the survey has version " + std::string(version)
                                                   + " of the schema, "
                                                     "and this program reads versions 1 to 2"))
            << refused.standardError;
        EXPECT_EQ(run({"query", "--in", path("a.db"), "op:Gelu"}).exitCode, 3);
    }
}

TEST_F(Survey, answersQueriesAboutItsModels)
{
    write("a/double.onnx", onnxModel({{"Relu", {"x"}, "y"}}, {{"x", {4}, 11}}, {{"y", {4}, 11}}));
    ASSERT_EQ(survey("a").exitCode, 0);
    const auto ask = [this](const std::string &text, const std::string &form = "--count") {
        return run({"query", "--in", path("a.db"), text, form});
    };
    EXPECT_EQ(ask("op:onnx::Gelu").standardOutput, "1\n");
    EXPECT_EQ(ask("op:onnx::Gelu and params>1G").exitCode, 1);
    EXPECT_EQ(ask("state:unreadable").standardOutput, "1\n");
    EXPECT_EQ(ask("dtype:float64").standardOutput, "1\n") << "the files say it";
    EXPECT_EQ(ask("has(op:Relu and shape:[N,3])").standardOutput, "1\n");
    const ProcessOutput text = run({"query", "--in", path("a.db"), "dtype:float64 or other_flops>1G"});
    EXPECT_TRUE(text.standardOutput.contains("a.db: 1 of 4 models, 3 of which were opened\n")) << text.standardOutput;
    EXPECT_TRUE(text.standardOutput.contains("double.onnx")) << text.standardOutput;
    EXPECT_TRUE(text.standardOutput.contains("1 model has no known other FLOPs\n")) << text.standardOutput;
    EXPECT_TRUE(text.standardOutput.contains("1 model was not read by the survey\n")) << text.standardOutput;
    const ProcessOutput json = ask("op:Gelu", "--json");
    EXPECT_TRUE(json.standardOutput.contains("\"schema\":\"cutaway.survey_query/1\"")) << json.standardOutput;
    EXPECT_TRUE(json.standardOutput.contains("gelu.onnx")) << json.standardOutput;
    EXPECT_TRUE(ask("op:Gelu", "--csv").standardOutput.starts_with("path,state,bytes,format,")) << json.standardOutput;
    const ProcessOutput wrong = ask("opset>1ms");
    EXPECT_EQ(wrong.exitCode, 2);
    EXPECT_TRUE(wrong.standardError.contains("'ms' is no unit of opset")) << wrong.standardError;
    EXPECT_EQ(ask("time>1ms").exitCode, 2) << "without a device";
    EXPECT_EQ(run({"query", "--in", path("nowhere.db"), "op:Gelu"}).exitCode, 3);
    write("a/double.onnx", smallOnnx());
    EXPECT_TRUE(run({"query", "--in", path("a.db"), "dtype:float64"})
                    .standardOutput.contains("double.onnx: its file has changed since the survey, or is gone\n"));
}

TEST_F(Survey, asksEachModelAQuestion)
{
    const ProcessOutput asked =
        survey("a", {"--bind", "N=8", "--check", "numbers:nobody", "--check", "passes:dead-code"});
    EXPECT_EQ(asked.exitCode, 1);
    EXPECT_TRUE(asked.standardOutput.contains("gelu.onnx: numbers:nobody has no answer: unknown plugin 'nobody'"))
        << asked.standardOutput;
    EXPECT_FALSE(asked.standardOutput.contains("small.onnx: passes:dead-code")) << asked.standardOutput;
    EXPECT_TRUE(asked.standardOutput.contains("broken.onnx: passes:dead-code has no answer: unreadable: "))
        << asked.standardOutput;
    const ProcessOutput again = survey("a", {"--bind", "N=8", "--check", "numbers:nobody"});
    EXPECT_EQ(again.exitCode, 1) << "what is known before has failed as well";
    EXPECT_TRUE(again.standardOutput.contains("gelu.onnx: numbers:nobody has no answer: ")) << again.standardOutput;
    EXPECT_EQ(query("a.db", "SELECT name, count(*), sum(passed) FROM checks GROUP BY name ORDER BY name"),
              "numbers:nobody 2 None\npasses:dead-code 2 2\n");
    EXPECT_EQ(survey("a", {"--check", "taste:good"}).exitCode, 2);
}

TEST_F(Survey, comparesTwoAndExitsWithOneIfAModelBroke)
{
    ASSERT_EQ(survey("a").exitCode, 0);
    write("b/gelu.onnx", "no more");
    write("b/new.onnx", smallOnnx());
    ASSERT_EQ(survey("b").exitCode, 0);
    const ProcessOutput worse = run({"survey", "--compare", path("a.db"), path("b.db")});
    EXPECT_EQ(worse.exitCode, 1);
    EXPECT_TRUE(worse.standardOutput.contains("gelu.onnx")) << worse.standardOutput;
    EXPECT_TRUE(worse.standardOutput.contains("new.onnx")) << worse.standardOutput;
    EXPECT_FALSE(worse.standardOutput.contains("small.onnx")) << worse.standardOutput;
    EXPECT_EQ(run({"survey", "--compare", path("a.db"), path("a.db")}).exitCode, 0);
    EXPECT_EQ(run({"survey", "--compare", path("a.db"), path("b.db"), "-o", path("page.html")}).exitCode, 1);
    EXPECT_TRUE(std::filesystem::exists(path("page.html")));
}

TEST_F(Survey, goesOnAfterItWasKilled)
{
    for (int i = 0; i < 200; ++i)
        write("a/" + std::to_string(i) + ".onnx", smallOnnx());
    for (const char *after : {"0.05", "0.1", "0.2"})
        shell("timeout -s KILL " + std::string(after) + " \"$CLI\" survey '" + path("a") + "' -o '" + path("a.db")
              + "'; true");
    EXPECT_EQ(survey("a").exitCode, 0);
    EXPECT_EQ(query("a.db", "SELECT count(*), count(DISTINCT path), sum(state = 'read') FROM models"), "203 203 202\n");
    EXPECT_EQ(query("a.db", "SELECT count(*), sum(other_flops_formula = '3*N') FROM costs"), "202 201\n");
}

TEST_F(Survey, readsNamesFromStandardInput)
{
    const ProcessOutput output =
        shell("printf '%s\\n' '" + path("a/small.onnx") + "' | \"$CLI\" survey - -o '" + path("zoo.db") + "'");
    EXPECT_EQ(output.exitCode, 0) << output.standardError;
    EXPECT_EQ(query("zoo.db", "SELECT count(*) FROM models"), "1\n");
}

TEST_F(Survey, answersTheQuestionsOfItsPage)
{
    ASSERT_EQ(survey("a", {"--bind", "N=8", "--device", "l4"}).exitCode, 0);
    ASSERT_EQ(survey("a").exitCode, 0);
    const ProcessOutput output = shell("python3 -c '\n"
                                       "import re, sqlite3, sys\n"
                                       "database = sqlite3.connect(sys.argv[1])\n"
                                       "for sql in re.findall(\"```sql\\n(.*?)```\", open(sys.argv[2]).read(), re.S):\n"
                                       "    print(len(list(database.execute(sql))))' '"
                                       + path("a.db") + "' '" CUTAWAY_SURVEY_PAGE "'");
    EXPECT_EQ(output.standardError, "");
    // Loop, operators, that fit, failures, equal graphs, costs, unknown, opsets, profiles
    EXPECT_EQ(output.standardOutput, "0\n2\n2\n1\n0\n2\n0\n2\n0\n");
}

TEST_F(Survey, aBackendThatIsNotThereIsARowThatSaysSoAndIsTriedAgain)
{
    for (int i = 0; i < 2; ++i) {
        const ProcessOutput output = survey("a", {"--profile", "nobody,nowhere@cuda:3"});
        EXPECT_EQ(output.exitCode, 0) << output.standardError;
        EXPECT_TRUE(output.standardOutput.contains("profiles:\n  nobody  absent 2\n  nowhere@cuda:3  absent 2\n"))
            << output.standardOutput;
    }
    EXPECT_EQ(
        query("a.db", "SELECT DISTINCT backend, state, message FROM profiles ORDER BY backend"),
        "nobody absent there is no backend 'nobody' here\nnowhere@cuda:3 absent there is no backend 'nowhere' here\n");
    EXPECT_EQ(survey("a", {"--profile", "evaluator"}).exitCode, 2);
    EXPECT_EQ(survey("a", {"--profile", "torch@"}).exitCode, 2);
}

TEST_F(Survey, timesTheModelsOnABackend)
{
    if (!std::string_view(CUTAWAY_HAS_ONNXRUNTIME).starts_with("1"))
        GTEST_SKIP() << "the plugin 'onnxruntime' was not built";
    const std::vector<std::string> options{
        "--profile", "onnxruntime,onnxruntime@cuda:9", "--profile-seconds", "0.05", "--bind", "N=4", "--device", "l4"};
    const ProcessOutput output = survey("a", options);
    EXPECT_EQ(output.exitCode, 0) << output.standardError;
    EXPECT_TRUE(output.standardOutput.ends_with(
        "profiles:\n  onnxruntime  measured 1, refused 1\n  onnxruntime@cuda:9  absent 2\n"))
        << output.standardOutput;
    EXPECT_EQ(
        query(
            "a.db",
            "SELECT state, count(*), sum(seconds > 0 AND predicted > 0 AND runs > 0 AND p95 >= p5 AND processor <> '') "
            "FROM profiles WHERE backend = 'onnxruntime' GROUP BY state ORDER BY state"),
        "measured 1 1\nrefused 1 0\n");
    EXPECT_EQ(
        query("a.db", "SELECT count(*) FROM profile_matrix WHERE times_predicted > 1 AND request = 'N=4 device=l4'"),
        "1\n");
    EXPECT_TRUE(survey("a", options).standardOutput.contains("  onnxruntime  all known before\n"));
    const std::string json = run({"query", "--in", path("a.db"), "op:Relu", "--json"}).standardOutput;
    EXPECT_TRUE(json.contains("\"backend\":\"onnxruntime\"")) << json;
    ASSERT_EQ(run({"report", path("a.db"), "-o", path("zoo.html")}).exitCode, 0);
    const std::string page = shell("cat '" + path("zoo.html") + "'").standardOutput;
    EXPECT_TRUE(page.contains("Measured against predicted times")) << page.size();
    EXPECT_TRUE(page.contains("has no device &#39;cuda:9&#39; here") || page.contains("has no device 'cuda:9' here"));
}

TEST_F(Survey, isReported)
{
    ASSERT_EQ(survey("a").exitCode, 0);
    ASSERT_EQ(run({"report", path("a.db"), "-o", path("zoo.md")}).exitCode, 0);
    const std::string page = shell("cat '" + path("zoo.md") + "'").standardOutput;
    EXPECT_TRUE(page.contains("onnx::Gelu")) << page;
    EXPECT_TRUE(page.contains("broken.onnx")) << page;
    EXPECT_EQ(run({"report", path("a.db"), "-o", path("zoo.html"), "--with-models"}).exitCode, 0);
    EXPECT_TRUE(std::filesystem::exists(path("zoo.models/0003-small.html")));
    EXPECT_TRUE(
        shell("cat '" + path("zoo.html") + "'").standardOutput.contains("<a href=\"zoo.models/0003-small.html\">"));
}

TEST_F(Survey, saysWhatIsWrong)
{
    EXPECT_EQ(run({"survey", path("a")}).exitCode, 2);
    EXPECT_EQ(run({"survey", path("a"), "-o", path("no/folder/zoo.db")}).exitCode, 3);
    EXPECT_EQ(run({"survey", path("a"), "-o", path("a/broken.onnx")}).exitCode, 3);
    EXPECT_EQ(run({"survey", "--compare", path("a.db")}).exitCode, 2);
    EXPECT_EQ(survey("a", {"--device", "abacus"}).exitCode, 2);
    const ProcessOutput missing = run({"survey", path("nowhere"), "-o", path("zoo.db")});
    EXPECT_EQ(missing.exitCode, 0);
    EXPECT_TRUE(missing.standardOutput.contains("left out: ")) << missing.standardOutput;
}

} // namespace
} // namespace cutaway::test
