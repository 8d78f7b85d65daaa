// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/survey/workers.h"

#include <gtest/gtest.h>
#include <map>

namespace cutaway::survey {
namespace {

using namespace std::chrono_literals;

/// A worker in words: it reads the request and then does what the path says.
const std::vector<std::string> script{"bash", "-c", R"(
read -r request
while IFS= read -r -d '' path; do
  case $path in
    *crash*) echo "it hurts" >&2; kill -SEGV $$ ;;
    *exit*) exit 3 ;;
    *hang*) sleep 100 ;;
    *babble*) echo "what?" ;;
    *) echo '{"state":"read","message":"'$path'","graph":"","format":"","formatVersion":"","producer":"","producerVersion":"","inputs":"","outputs":"","nodes":7,"parameters":0,"weightBytes":0,"opsets":[],"functions":[],"operators":[],"calledOperators":[],"modules":[],"symbols":[],"findings":[],"costs":{"flops":{"value":null,"formula":"","atLeast":null},"otherFlops":{"value":null,"formula":"","atLeast":null},"peakBytes":{"value":null,"formula":"","atLeast":null},"flopsUnknown":0,"shapesUnknown":0,"seconds":null},"checks":[],"nodesFound":[],"measurement":null,"seconds":0,"memory":0,"bytesRead":null}' ;;
  esac
done)"};

std::map<std::string, Record> surveyedBy(const std::vector<std::string> &command,
                                         const std::vector<std::filesystem::path> &models, unsigned count = 2)
{
    std::map<std::string, Record> records;
    const auto take = [&](const std::filesystem::path &model, const Record &record) -> Result<void> {
        EXPECT_TRUE(records.emplace(model.string(), record).second) << "twice: " << model;
        return {};
    };
    const auto done = surveyAll(models, {}, {.command = command, .count = count, .limit = 1500ms}, {}, take);
    EXPECT_TRUE(done) << (done ? "" : done.error().text());
    return records;
}

TEST(SurveyWorkers, haveARecordOfEachModelWhateverBecomesOfThem)
{
    const auto records =
        surveyedBy(script, {"a", "b", "crash", "c", "exit", "d", "hang", "e", "babble", "f", "crash again", "g"});
    ASSERT_EQ(records.size(), 12u);
    for (const char *name : {"a", "b", "c", "d", "e", "f", "g"}) {
        EXPECT_EQ(records.at(name).state, State::Read) << name;
        EXPECT_EQ(records.at(name).nodes, 7) << name;
        EXPECT_EQ(records.at(name).message, name);
    }
    EXPECT_EQ(records.at("crash").state, State::Crashed);
    EXPECT_EQ(records.at("crash").message, "the worker ended with signal Segmentation fault: it hurts");
    EXPECT_EQ(records.at("exit").message, "the worker ended with exit code 3");
    EXPECT_EQ(records.at("hang").state, State::TimedOut);
    EXPECT_EQ(records.at("babble").state, State::Crashed);
}

TEST(SurveyWorkers, stopWhenTheyAreAskedTo)
{
    std::stop_source stop;
    std::size_t taken = 0;
    const auto take = [&](const std::filesystem::path &, const Record &) -> Result<void> {
        ++taken;
        stop.request_stop();
        return {};
    };
    const std::vector<std::filesystem::path> models(100, "a");
    const auto done = surveyAll(models, {}, {.command = script, .count = 1}, {stop.get_token(), {}}, take);
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().kind, ErrorKind::Cancelled);
    EXPECT_LT(taken, 100u);
}

TEST(SurveyWorkers, endWithWhatTheTakerSays)
{
    const auto take = [](const std::filesystem::path &, const Record &) -> Result<void> {
        return backendError("the disk is full");
    };
    const auto done = surveyAll({"a", "b"}, {}, {.command = script}, {}, take);
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().message, "the disk is full");
}

TEST(SurveyWorkers, thatCannotBeStartedAreToldOnce)
{
    const auto take = [](const std::filesystem::path &, const Record &) -> Result<void> { return {}; };
    const auto done = surveyAll({"a"}, {}, {.command = {"/nowhere/worker"}}, {}, take);
    ASSERT_FALSE(done);
    EXPECT_TRUE(done.error().message.contains("/nowhere/worker")) << done.error().message;
}

} // namespace
} // namespace cutaway::survey
