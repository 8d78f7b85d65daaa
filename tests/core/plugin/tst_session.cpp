// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/plugin/fake_plugin.h"

#include <array>
#include <csignal>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace cutaway::plugin {

namespace {

using namespace std::chrono_literals;
using protocol::Json;

class Sessions : public testing::Test {
protected:
    Session session{fakePlugin(), withoutSandbox()};
};

/// That the session is as new, whatever happened to it.
void expectAnswer(Session &session)
{
    const auto reply = session.call("echo", {{"n", 1}}, "bytes");
    ASSERT_TRUE(reply) << reply.error().text();
    EXPECT_EQ(reply->result, Json({{"n", 1}}));
    EXPECT_EQ(reply->payload, "bytes");
}

TEST_F(Sessions, startWithTheFirstCallAndStay)
{
    EXPECT_FALSE(session.process());
    expectAnswer(session);
    const auto process = session.process();
    EXPECT_TRUE(process);
    expectAnswer(session);
    EXPECT_EQ(session.process(), process);
}

TEST_F(Sessions, carryMoreThanAPipeHolds)
{
    const std::string large(20'000'000, 'x');
    const auto reply = session.call("echo", {}, large);
    ASSERT_TRUE(reply) << reply.error().text();
    EXPECT_TRUE(reply->payload == large);
}

TEST_F(Sessions, giveThePluginNothingOfOurs)
{
    const auto reply = session.call("environment", Json::object());
    ASSERT_TRUE(reply) << reply.error().text();
    EXPECT_EQ(reply->result.at("descriptors"), 3) << reply->result;
    EXPECT_EQ(reply->result.at("folder"), session.plugin().folder.string());
    EXPECT_EQ(reply->result.at("terminal"), "OSError");
}

TEST_F(Sessions, passOnProgressAndLog)
{
    std::vector<std::string> heard;
    Task task;
    task.progress = [&](std::string_view what, std::uint64_t done, std::uint64_t total) {
        heard.push_back(std::string(what) + " " + std::to_string(done) + "/" + std::to_string(total));
    };
    ASSERT_TRUE(session.call("talk", Json::object(), {}, task));
    EXPECT_EQ(heard, std::vector<std::string>{"reading 1/2"});
    EXPECT_EQ(session.log(), std::vector<std::string>{"hello"});
}

TEST_F(Sessions, areNotHeldUpByAFullStandardError) { EXPECT_TRUE(session.call("chatter", Json::object())); }

void expectGone(pid_t process)
{
    for (int i = 0; i < 1000 && ::kill(process, 0) == 0; ++i) // until init has waited for it
        std::this_thread::sleep_for(10ms);
    EXPECT_NE(::kill(process, 0), 0);
}

TEST_F(Sessions, killWhatThePluginHasStarted)
{
    const auto child = session.call("child", Json::object());
    ASSERT_TRUE(child) << child.error().text();
    EXPECT_FALSE(session.call("kill", {{"signal", SIGKILL}}));
    expectGone(child->result.get<pid_t>());
}

TEST(Plugin, endsWithCutawayWhateverItIsDoing)
{
    std::array<int, 2> ends{};
    ASSERT_EQ(::pipe(ends.data()), 0);
    const pid_t cutaway = ::fork();
    if (cutaway == 0) {
        Session session(fakePlugin(), withoutSandbox());
        const auto reply = session.call("environment", Json::object());
        const pid_t plugin = reply ? reply->result.at("pid").get<pid_t>() : -1;
        (void)!::write(ends[1], &plugin, sizeof plugin);
        (void)!session.call("loop", Json::object()).has_value();
        ::_exit(0);
    }
    pid_t plugin = -1;
    EXPECT_EQ(::read(ends[0], &plugin, sizeof plugin), ssize_t{sizeof plugin});
    ASSERT_GT(plugin, 0);
    ::kill(cutaway, SIGKILL);
    ::waitpid(cutaway, nullptr, 0);
    expectGone(plugin);
    ::close(ends[0]);
    ::close(ends[1]);
}

struct Fault {
    const char *label;
    const char *method;
    Json params;
    const char *error;
    ErrorKind kind = ErrorKind::Backend;
};

void PrintTo(const Fault &fault, std::ostream *out) { *out << fault.label; }

class Faults : public testing::TestWithParam<Fault> { };

TEST_P(Faults, areOneSentenceAndTheNextCallStartsAnew)
{
    Manifest plugin = fakePlugin();
    plugin.limits.memory = 300u << 20;
    Session session(plugin, withoutSandbox());
    expectAnswer(session);
    const auto reply = session.call(GetParam().method, GetParam().params, {}, {}, 60s);
    ASSERT_FALSE(reply);
    EXPECT_EQ(reply.error().text(), GetParam().error);
    EXPECT_EQ(reply.error().kind, GetParam().kind);
    expectAnswer(session);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, Faults,
    testing::Values(
        Fault{"Killed",
              "kill",
              {{"signal", SIGKILL}},
              "the plugin 'fake' was killed by signal 9 (Killed) while running 'kill'"},
        Fault{"Crash",
              "kill",
              {{"signal", SIGSEGV}},
              "the plugin 'fake' was killed by signal 11 (Segmentation fault) while running 'kill'"},
        Fault{"Exception", "raise", Json::object(),
              "the plugin 'fake' ended with exit code 1 while running 'raise': ValueError: no such thing"},
        Fault{"QuietEnd", "exit", {{"code", 0}}, "the plugin 'fake' ended with exit code 0 while running 'exit'"},
        Fault{"KilledBehindALauncher",
              "exit",
              {{"code", 137}},
              "the plugin 'fake' was killed by signal 9 (Killed) while running 'exit'"},
        Fault{"OutOfMemory", "allocate", Json::object(),
              "the plugin 'fake' ran out of its memory limit of 300 MiB while running 'allocate'"},
        Fault{"Garbage",
              "print",
              {{"text", "loss: 0.3"}},
              "the plugin 'fake' wrote something that is not a message: 'loss: 0.3' (byte 220 of its output)"},
        Fault{"Cut", "cut", Json::object(),
              "the plugin 'fake' ended its output within a message: 6 of 100 bytes are there (byte 243 of its output)"},
        Fault{"NoJson",
              "print",
              {{"text", "Content-Length: 3\n\n{a}"}},
              "the plugin 'fake' wrote a message that is not JSON: '{a}'"},
        Fault{
            "HugeLength",
            "print",
            {{"text", "Content-Length: 99999999999\n"}},
            "the plugin 'fake' wrote a message whose Content-Length is 99999999999; 67108864 is the most that is read "
            "(byte 220 of its output)"},
        Fault{"ClosedOutput", "close", Json::object(), "the plugin 'fake' closed its output while running 'close'"},
        Fault{"UnknownMethod", "dance", Json::object(), "the plugin 'fake' has no 'dance'"},
        Fault{"WrongParams",
              "reject",
              {{"code", -32602}, {"message", "there is no 'to'"}},
              "the plugin 'fake': there is no 'to'",
              ErrorKind::Usage},
        Fault{"Unreadable",
              "reject",
              {{"code", 1}, {"message", "line 3: no shape"}},
              "the plugin 'fake': line 3: no shape",
              ErrorKind::Unreadable},
        Fault{"Failure",
              "reject",
              {{"code", -32603}, {"message", "division by \x1b zero"}},
              "the plugin 'fake' failed while running 'reject': division by \\x1b zero"}),
    [](const auto &row) { return row.param.label; });

struct LimitRow {
    const char *name;
    const char *environment;
    std::optional<std::chrono::milliseconds> target, manifest;
    std::chrono::milliseconds limit;
};

class AnswerLimit : public testing::TestWithParam<LimitRow> {
protected:
    ~AnswerLimit() override { ::unsetenv(timeoutVariable); }
};

TEST_P(AnswerLimit, isThatOfTheUserTheTargetOrTheManifest)
{
    if (GetParam().environment)
        ::setenv(timeoutVariable, GetParam().environment, 1);
    Manifest plugin = fakePlugin();
    plugin.answerLimit = GetParam().manifest;
    Target target = withoutSandbox();
    target.answerLimit = GetParam().target;
    EXPECT_EQ(Session(plugin, target).answerLimit(7s), GetParam().limit);
}

INSTANTIATE_TEST_SUITE_P(Rows, AnswerLimit,
                         testing::Values(LimitRow{"NothingSaid", nullptr, {}, {}, 7s},
                                         LimitRow{"Manifest", nullptr, {}, 2s, 2s},
                                         LimitRow{"TargetBeforeManifest", nullptr, 3s, 2s, 3s},
                                         LimitRow{"UserBeforeAll", "0.5", 3s, 2s, 500ms},
                                         LimitRow{"NoNumber", "soon", 3s, {}, 3s},
                                         LimitRow{"Negative", "-1", {}, {}, 7s}),
                         [](const auto &row) { return row.param.name; });

TEST_F(Sessions, killWhatDoesNotAnswerInTheTimeOfItsManifest)
{
    Manifest plugin = fakePlugin();
    plugin.answerLimit = 300ms;
    Session limited(plugin, withoutSandbox(), {}, {.grace = 100ms});
    const auto reply = limited.call("loop", Json::object());
    ASSERT_FALSE(reply);
    EXPECT_EQ(reply.error().kind, ErrorKind::Backend);
    EXPECT_TRUE(reply.error().text().contains("did not answer within 0.3 s")) << reply.error().text();
    EXPECT_FALSE(limited.process());
}

TEST_F(Sessions, killAnEndlessLoopAtItsDeadline)
{
    Session impatient(fakePlugin(), withoutSandbox(), {}, {.grace = 100ms});
    const auto reply = impatient.call("loop", Json::object(), {}, {}, 300ms);
    ASSERT_FALSE(reply);
    EXPECT_EQ(reply.error().text(),
              "the plugin 'fake' did not answer within 0.3 s while running 'loop' and was stopped; "
              "--plugin-timeout or CUTAWAY_PLUGIN_TIMEOUT sets the limit");
    EXPECT_FALSE(impatient.process());
    expectAnswer(impatient);
}

TEST_F(Sessions, endAPluginThatUsesUpItsProcessorTime)
{
    Manifest plugin = fakePlugin();
    plugin.limits.processorTime = 1s;
    Session limited(plugin, withoutSandbox());
    const auto reply = limited.call("loop", Json::object(), {}, {}, 100s);
    ASSERT_FALSE(reply);
    EXPECT_EQ(reply.error().text(), "the plugin 'fake' ran out of its processor time of 1 s while running 'loop'");
    expectAnswer(limited);
}

/// A call that is asked to stop after a moment.
Result<Reply> callAndStop(Session &session, std::string_view method)
{
    std::stop_source source;
    Task task;
    task.stop = source.get_token();
    const std::jthread stopper([&] {
        std::this_thread::sleep_for(100ms);
        source.request_stop();
    });
    return session.call(method, Json::object(), {}, task, 60s);
}

TEST_F(Sessions, askThePluginToStopAndKeepIt)
{
    expectAnswer(session);
    const auto process = session.process();
    const auto reply = callAndStop(session, "wait");
    ASSERT_FALSE(reply);
    EXPECT_EQ(reply.error().kind, ErrorKind::Cancelled);
    EXPECT_EQ(session.process(), process);
    expectAnswer(session);
}

TEST_F(Sessions, killAPluginThatDoesNotStop)
{
    Session impatient(fakePlugin(), withoutSandbox(), {}, {.grace = 100ms});
    const auto reply = callAndStop(impatient, "loop");
    ASSERT_FALSE(reply);
    EXPECT_EQ(reply.error().kind, ErrorKind::Cancelled);
    EXPECT_FALSE(impatient.process());
    expectAnswer(impatient);
}

TEST_F(Sessions, startAnewWhenThePluginHasGoneMeanwhile)
{
    expectAnswer(session);
    const pid_t process = *session.process();
    ::kill(process, SIGKILL);
    siginfo_t state{};
    ::waitid(P_PID, static_cast<id_t>(process), &state, WEXITED | WNOWAIT);
    expectAnswer(session);
    EXPECT_NE(session.process(), process);
}

TEST_F(Sessions, askWhetherASilentPluginIsStillThere)
{
    Session attentive(fakePlugin(), withoutSandbox(), {}, {.idle = 0ms});
    expectAnswer(attentive);
    const auto process = attentive.process();
    std::this_thread::sleep_for(5ms);
    expectAnswer(attentive); // after a ping, which the plugin answers
    EXPECT_EQ(attentive.process(), process);
}

struct BadStart {
    const char *label;
    const char *fault;
    const char *error;
};

class BadStarts : public testing::TestWithParam<BadStart> { };

TEST_P(BadStarts, areOneSentence)
{
    Session session(fakePlugin(GetParam().fault), withoutSandbox(), {}, {.start = 20s});
    for (int i = 0; i < 2; ++i) {
        const auto reply = session.call("echo", Json::object());
        ASSERT_FALSE(reply);
        EXPECT_EQ(reply.error().text(), GetParam().error);
        EXPECT_EQ(reply.error().kind, ErrorKind::Backend);
        EXPECT_FALSE(session.process());
    }
}

INSTANTIATE_TEST_SUITE_P(
    Rows, BadStarts,
    testing::Values(
        BadStart{"WrongVersion", "version",
                 "the plugin 'fake' speaks protocol 7, this Cutaway speaks 1: install the plugin's version for this "
                 "Cutaway"},
        BadStart{"Dies", "dies", "the plugin 'fake' could not be started: fake_plugin: the licence has expired"},
        BadStart{"MissingLibrary", "library",
                 "the plugin 'fake' could not be started: libfoo.so.1: cannot open shared object file; "
                 "install what has this library"},
        BadStart{"NewerSystem", "newer",
                 "the plugin 'fake' could not be started: runner: /lib/libc.so.6: version `GLIBC_2.38' not found "
                 "(required by runner); it was built for a newer system than this one: build it here"},
        BadStart{"Password", "password",
                 "the plugin 'fake' or what launches it asked for a password, which cannot be entered: "
                 "'somebody@gpu1's password'"},
        BadStart{"Greeting", "garbage",
                 "the plugin 'fake' wrote something that is not a message: 'Welcome to gpu1!' (byte 0 of its output)"}),
    [](const auto &row) { return row.param.label; });

TEST(Start, thatTakesTooLongIsGivenUp)
{
    Session session(fakePlugin("silent"), withoutSandbox(), {}, {.start = 200ms, .grace = 50ms});
    const auto reply = session.call("echo", Json::object());
    ASSERT_FALSE(reply);
    EXPECT_EQ(reply.error().text(), "the plugin 'fake' did not answer within 0.2 s while starting");
}

TEST(Start, ofAMissingProgramNamesIt)
{
    Manifest plugin = fakePlugin();
    plugin.command = {"no-such-program"};
    Session session(plugin, withoutSandbox());
    const auto reply = session.call("echo", Json::object());
    ASSERT_FALSE(reply);
    EXPECT_EQ(reply.error().text(),
              "the plugin 'fake' could not be started: no-such-program: No such file or directory");
}

TEST(Start, namesTheTargetThatItFailedOn)
{
    Session session(fakePlugin(), {"gpu1", {"sh", "-c", "echo 'ssh: no route to gpu1' >&2; exit 255"}});
    const auto reply = session.call("echo", Json::object());
    ASSERT_FALSE(reply);
    EXPECT_EQ(reply.error().text(), "the plugin 'fake' on gpu1 could not be started: ssh: no route to gpu1");
}

TEST(Launcher, isPutInFrontOfThePlugin)
{
    Session session(fakePlugin(), {"here", {"env", "A=1"}});
    expectAnswer(session);
}

} // namespace

} // namespace cutaway::plugin
