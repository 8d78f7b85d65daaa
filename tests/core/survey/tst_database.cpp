// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/temporary_folder.h"
#include "core/base/whole_file.h"
#include "core/survey/database/database.h"

#include <atomic>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <thread>

namespace cutaway::survey {
namespace {

Record readModel(std::int64_t flops = 10)
{
    Record record;
    record.state = State::Read;
    record.graph = "abc";
    record.format = "onnx";
    record.nodes = 3;
    record.operators = {{"onnx", "Relu", "", 2, 8}, {"onnx", "Loop", "", 1, {}}};
    record.modules = {{"", "Net", 12}, {"layer", "Linear", 12}};
    record.symbols = {{"N", 1, {}}};
    record.opsets = {{"onnx", 21}};
    record.functions = {{"main", 3}};
    record.findings = {{"warning", "shapes.unknown", "why", 2}};
    record.costs.flops = {flops, "", flops};
    record.costs.peakBytes = {{}, "4*N", 16};
    return record;
}

Record failedModel(State state)
{
    Record record;
    record.state = state;
    record.message = "it is broken";
    return record;
}

class SurveyDatabase : public testing::Test {
protected:
    std::filesystem::path path(const std::string &name = "zoo.db") const { return m_folder.path() / name; }
    Database opened(const std::string &program = "1") const { return Database::open(path(), program).value(); }

    const TemporaryFolder m_folder = TemporaryFolder::make().value();
    const FileVersion m_file{"/zoo/a.onnx", 100, 1};
};

TEST_F(SurveyDatabase, hasWhatWasPut)
{
    Database database = opened();
    EXPECT_EQ(database.has(m_file, {}), false);
    ASSERT_TRUE(database.put(m_file, {}, readModel()));
    EXPECT_EQ(database.has(m_file, {}), true);
    const auto entries = database.entries();
    ASSERT_TRUE(entries);
    ASSERT_EQ(entries->size(), 1u);
    const Entry &entry = entries->front();
    EXPECT_EQ(entry.path, "/zoo/a.onnx");
    EXPECT_EQ(entry.costs.flops.value, 10);
    EXPECT_EQ(entry.costs.peakBytes.value, std::nullopt);
    EXPECT_EQ(entry.costs.peakBytes.formula, "4*N");
    EXPECT_EQ(entry.opsets.front().version, 21);
    EXPECT_EQ(entry.functions.front().name, "main");
    EXPECT_EQ(entry.findings.front().code, "shapes.unknown");
    EXPECT_EQ(entry.symbols.front().max, std::nullopt);
    EXPECT_TRUE(entry.modules.empty());
    EXPECT_EQ(database.entries("", Modules::Included)->front().modules.size(), 2u);
    EXPECT_FALSE(database.entries("N=8")->front().hasCosts);
    ASSERT_EQ(entry.operators.size(), 2u);
    EXPECT_EQ(entry.operators[0].name, "Loop");
    EXPECT_EQ(entry.operators[0].flops, std::nullopt);
}

TEST_F(SurveyDatabase, anotherFileProgramRequestOrCheckIsToBeLookedAt)
{
    ASSERT_TRUE(opened().put(m_file, {}, readModel()));
    const Database database = opened();
    EXPECT_EQ(database.has({m_file.path, 101, 1}, {}), false);
    EXPECT_EQ(database.has({m_file.path, 100, 2}, {}), false);
    EXPECT_EQ(database.has(m_file, {.bindings = {"N=8"}}), false);
    EXPECT_EQ(database.has(m_file, {.asked = Look{{"convert:onnx"}}}), false);
    EXPECT_EQ(opened("2").has(m_file, {}), false);
}

TEST_F(SurveyDatabase, aModelHasOneRowAndCostsForEachRequest)
{
    Database database = opened();
    ASSERT_TRUE(database.put(m_file, {}, readModel()));
    ASSERT_TRUE(database.put(m_file, {.bindings = {"N=8"}}, readModel(80)));
    EXPECT_EQ(database.has(m_file, {}), true);
    EXPECT_EQ(database.has(m_file, {.bindings = {"N=8"}}), true);
    EXPECT_EQ(database.entries()->size(), 1u);
    EXPECT_EQ(database.entries("N=8")->front().costs.flops.value, 80);
    EXPECT_EQ(database.requests(), (std::vector<std::string>{"", "N=8"}));
    EXPECT_EQ(database.entries()->front().costs.flops.value, 10) << "of the request without anything";
}

TEST_F(SurveyDatabase, anotherVersionOfAFileReplacesIt)
{
    Database database = opened();
    ASSERT_TRUE(database.put(m_file, {}, readModel()));
    const FileVersion later{m_file.path, 100, 2};
    ASSERT_TRUE(database.put(later, {}, failedModel(State::Crashed)));
    EXPECT_EQ(database.has(m_file, {}), false);
    EXPECT_EQ(database.has(later, {}), true);
    ASSERT_EQ(database.entries()->size(), 1u);
    EXPECT_EQ(database.entries()->front().state, State::Crashed);
    EXPECT_TRUE(database.entries()->front().operators.empty());
}

TEST_F(SurveyDatabase, aFailureUnderAnotherRequestLeavesWhatIsKnown)
{
    Database database = opened();
    const Request large{.bindings = {"N=100000000"}};
    ASSERT_TRUE(database.put(m_file, {}, readModel()));
    ASSERT_TRUE(database.put(m_file, large, failedModel(State::Crashed)));
    ASSERT_EQ(database.entries()->size(), 1u);
    EXPECT_EQ(database.entries()->front().state, State::Read);
    EXPECT_EQ(database.entries()->front().costs.flops.value, 10);
    EXPECT_EQ(database.entries()->front().operators.size(), 2u);
    EXPECT_EQ(database.has(m_file, {}), true);
    EXPECT_EQ(database.has(m_file, large), true) << "it is not tried at every start";
    EXPECT_EQ(database.answerOf(m_file.path, "lint:error", large)->message, "crashed: it is broken");
    ASSERT_TRUE(database.put(m_file, large, readModel(80)));
    EXPECT_EQ(database.entries(large.name())->front().costs.flops.value, 80);
    ASSERT_TRUE(database.put(m_file, large, failedModel(State::TimedOut))) << "looked at again";
    EXPECT_FALSE(database.entries(large.name())->front().hasCosts);
    EXPECT_EQ(database.entries()->front().state, State::Read);
    ASSERT_TRUE(database.put(m_file, {}, failedModel(State::Crashed)));
    EXPECT_EQ(database.entries()->front().state, State::Crashed) << "nothing is left of it";
}

TEST_F(SurveyDatabase, whatFailedWithOneRequestIsTriedWithAnother)
{
    Database database = opened();
    ASSERT_TRUE(database.put(m_file, {}, failedModel(State::TimedOut)));
    EXPECT_EQ(database.has(m_file, {}), true);
    EXPECT_EQ(database.has(m_file, {.bindings = {"N=8"}}), false);
    ASSERT_TRUE(database.put(m_file, {.bindings = {"N=8"}}, readModel()));
    EXPECT_EQ(database.entries()->front().state, State::Read);
    const FileVersion broken{"/zoo/b.onnx", 1, 1};
    ASSERT_TRUE(database.put(broken, {}, failedModel(State::Unreadable)));
    EXPECT_EQ(database.has(broken, {.bindings = {"N=8"}}), true) << "sizes do not mend a file";
}

TEST_F(SurveyDatabase, forgetsFilesThatAreGone)
{
    Database database = opened();
    ASSERT_TRUE(writeWholeFile(path("there.onnx"), "x"));
    ASSERT_TRUE(database.put(versionOf(path("there.onnx")), {}, readModel()));
    ASSERT_TRUE(database.put(m_file, {}, readModel()));
    EXPECT_EQ(database.dropMissing(), 1u);
    ASSERT_EQ(database.entries()->size(), 1u);
    EXPECT_EQ(database.entries()->front().path, path("there.onnx"));
}

TEST_F(SurveyDatabase, keepsModelsAtUrlsAndHowMuchOfThemWasRead)
{
    opened();
    sqlite3 *connection = nullptr;
    ASSERT_EQ(sqlite3_open(path().c_str(), &connection), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(connection, "DROP TABLE remote", nullptr, nullptr, nullptr), SQLITE_OK) << "as it once was";
    sqlite3_close(connection);
    Database database = opened();
    Record record = readModel();
    record.bytesRead = 5000;
    ASSERT_TRUE(database.put({"https://host/a.onnx", 100, 1}, {}, record));
    EXPECT_EQ(database.dropMissing(), 0u);
    ASSERT_EQ(sqlite3_open(path().c_str(), &connection), SQLITE_OK);
    sqlite3_stmt *statement = nullptr;
    sqlite3_prepare_v2(connection, "SELECT bytes_read FROM remote", -1, &statement, nullptr);
    EXPECT_EQ(sqlite3_step(statement), SQLITE_ROW);
    EXPECT_EQ(sqlite3_column_int64(statement, 0), 5000);
    sqlite3_finalize(statement);
    sqlite3_close(connection);
}

TEST_F(SurveyDatabase, aModelThatTheNetworkDoesNotGiveIsAskedForAgainAndSpoilsNoRow)
{
    Database database = opened();
    const FileVersion there{"https://host/a.onnx", 100, 7};
    const Request bound{.bindings = {"N=8"}};
    ASSERT_TRUE(database.put(there, {}, readModel()));
    ASSERT_TRUE(database.put(there, bound, failedModel(State::Unreadable)));
    ASSERT_EQ(database.entries()->size(), 1u);
    EXPECT_EQ(database.entries()->front().state, State::Read);
    EXPECT_EQ(database.entries()->front().costs.flops.value, 10);
    EXPECT_EQ(database.has(there, {}), true);
    EXPECT_EQ(database.has(there, bound), false);
    const FileVersion gone{"https://host/b.onnx", 100, 7};
    ASSERT_TRUE(database.put(gone, {}, failedModel(State::Unreadable)));
    EXPECT_EQ(database.has(gone, {}), false);
    ASSERT_TRUE(database.put(gone, {}, failedModel(State::Crashed)));
    EXPECT_EQ(database.has(gone, {}), true) << "that was not the network";
}

Measurement timed(const std::string &backend, std::optional<double> seconds)
{
    return {.machine = "gpu1",
            .backend = backend,
            .processor = "a card",
            .state = seconds ? Measurement::State::Measured : Measurement::State::Absent,
            .message = seconds ? "" : "there is no such backend",
            .seconds = seconds,
            .runs = 3,
            .predicted = 0.5};
}

TEST_F(SurveyDatabase, keepsATimeForEachBackendMachineAndRequest)
{
    Database database = opened();
    ASSERT_TRUE(database.put(m_file, {}, readModel()));
    const Request torch{.asked = Profile{"torch"}}, bound{.bindings = {"N=8"}, .asked = Profile{"torch"}};
    EXPECT_EQ(database.lacksMeasurement(m_file, torch, "gpu1", false), true);
    ASSERT_TRUE(database.put(m_file, timed("torch", 1.5)));
    EXPECT_EQ(database.lacksMeasurement(m_file, torch, "gpu1", false), false);
    EXPECT_EQ(database.lacksMeasurement(m_file, torch, "gpu1", true), true) << "again";
    EXPECT_EQ(database.lacksMeasurement(m_file, torch, "gpu2", false), true);
    EXPECT_EQ(database.lacksMeasurement(m_file, bound, "gpu1", false), true);
    EXPECT_EQ(database.lacksMeasurement(m_file, {.asked = Profile{"other"}}, "gpu1", false), true);
    ASSERT_TRUE(database.put(m_file, timed("other", {})));
    EXPECT_EQ(database.lacksMeasurement(m_file, {.asked = Profile{"other"}}, "gpu1", false), true)
        << "it may be there now";
    const auto entries = database.entries();
    ASSERT_TRUE(entries);
    ASSERT_EQ(entries->front().measurements.size(), 2u);
    EXPECT_EQ(entries->front().measurements[0].message, "there is no such backend");
    EXPECT_EQ(entries->front().measurements[0].seconds, std::nullopt);
    const Measurement &measured = entries->front().measurements[1];
    EXPECT_EQ(measured.seconds, 1.5);
    EXPECT_EQ(measured.predicted, 0.5);
    EXPECT_EQ(measured.processor, "a card");
    ASSERT_TRUE(database.put(m_file, bound, failedModel(State::Crashed)));
    EXPECT_EQ(database.entries()->front().measurements.size(), 2u) << "costs of another request spoil no time";
}

TEST_F(SurveyDatabase, timesAreOfTheFileAsItWas)
{
    Database database = opened();
    const FileVersion later{m_file.path, 100, 2};
    ASSERT_TRUE(database.put(m_file, timed("torch", 1.5)));
    EXPECT_EQ(database.entries()->size(), 0u) << "of what was never read there are none";
    EXPECT_EQ(database.lacksMeasurement(m_file, {.asked = Profile{"torch"}}, "gpu1", false), false);
    ASSERT_TRUE(database.put(m_file, {}, readModel()));
    ASSERT_TRUE(database.put(later, timed("torch", 1.5)));
    EXPECT_TRUE(database.entries()->front().measurements.empty());
    ASSERT_TRUE(database.put(m_file, timed("torch", 1.5)));
    ASSERT_TRUE(database.put(later, {}, readModel()));
    EXPECT_TRUE(database.entries()->front().measurements.empty());
}

TEST_F(SurveyDatabase, ofTheFirstVersionOfTheSchemaBecomesOneOfThis)
{
    {
        Database database = opened();
        Record several = readModel();
        several.functions.push_back({"inner", 1});
        ASSERT_TRUE(database.put(m_file, {}, several));
        ASSERT_TRUE(database.put({"/zoo/b.onnx", 5, 5}, {}, readModel()));
    }
    const auto execute = [this](const char *sql) {
        sqlite3 *connection = nullptr;
        EXPECT_EQ(sqlite3_open(path().c_str(), &connection), SQLITE_OK);
        EXPECT_EQ(sqlite3_exec(connection, sql, nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(connection);
        sqlite3_close(connection);
    };
    execute("DROP VIEW profile_matrix; DROP TABLE profiles; DROP TABLE function_operators; "
            "UPDATE survey SET value = '1' WHERE key = 'schema'");
    {
        const auto database = Database::read(path());
        ASSERT_TRUE(database) << database.error().text();
        const auto entries = database->entries();
        ASSERT_TRUE(entries);
        ASSERT_EQ(entries->size(), 2u);
        EXPECT_FALSE(entries->front().isComplete) << "operators of its second function were not kept";
        EXPECT_TRUE(entries->back().isComplete);
    }
    Database database = opened();
    EXPECT_EQ(database.has(m_file, {}), false) << "it is looked at again";
    EXPECT_EQ(database.has({"/zoo/b.onnx", 5, 5}, {}), true);
    ASSERT_TRUE(database.put(m_file, timed("torch", 1.5)));
    ASSERT_TRUE(database.put(m_file, {}, readModel()));
    EXPECT_TRUE(database.entries()->front().isComplete);
}

/// Each of them may be the one that makes it.
TEST_F(SurveyDatabase, severalSurveysOpenANewOneAtOnce)
{
    for (int round = 0; round < 30; ++round) {
        const std::filesystem::path file = path("new" + std::to_string(round) + ".db");
        std::atomic<int> opened = 0;
        {
            std::vector<std::jthread> surveys;
            for (int i = 0; i < 6; ++i)
                surveys.emplace_back([&] { opened += Database::open(file, "1").has_value(); });
        }
        EXPECT_EQ(opened, 6);
    }
}

TEST_F(SurveyDatabase, severalSurveysWriteToOne)
{
    const auto write = [this](const std::string &name) {
        Database database = opened();
        for (int i = 0; i < 50; ++i)
            EXPECT_TRUE(database.put({name + std::to_string(i), 1, 1}, {}, readModel()));
    };
    {
        const std::jthread a(write, "a"), b(write, "b");
    }
    EXPECT_EQ(opened().entries()->size(), 100u);
}

TEST_F(SurveyDatabase, whatIsNoneIsRefusedByASentence)
{
    ASSERT_TRUE(writeWholeFile(path("text.db"), std::string(5000, 'x')));
    const auto text = Database::open(path("text.db"), "1");
    ASSERT_FALSE(text);
    EXPECT_EQ(text.error().kind, ErrorKind::Unreadable);
    EXPECT_TRUE(text.error().message.contains("not a database")) << text.error().message;
    EXPECT_FALSE(Database::read(path("missing.db")));
    const auto nowhere = Database::open(path("no/folder/zoo.db"), "1");
    ASSERT_FALSE(nowhere);
    EXPECT_TRUE(nowhere.error().message.contains("unable to open")) << nowhere.error().message;
}

} // namespace
} // namespace cutaway::survey
