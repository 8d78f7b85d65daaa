// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plugin/sandbox.h"
#include "core/plugin/target.h"
#include "tests/core/plugin/fake_plugin.h"
#include "tests/core/plugin/folder.h"

#include <algorithm>
#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

namespace cutaway::plugin {

namespace {

using protocol::Json;
using Words = std::vector<std::string>;

class Targets : public Folder {
protected:
    Result<std::vector<Target>> read(std::string_view json)
    {
        write("targets.json", json);
        return readTargets(path("targets.json"));
    }
};

TEST_F(Targets, areTheLocalOneWithoutAFile)
{
    const auto targets = readTargets(path("targets.json"));
    ASSERT_TRUE(targets);
    ASSERT_EQ(targets->size(), 1u);
    EXPECT_EQ(targets->front().name, "local");
    EXPECT_TRUE(targets->front().isHere());
    EXPECT_TRUE(targets->front().wantsSandbox);
}

TEST_F(Targets, areThoseOfTheFile)
{
    const auto targets = read(R"({"targets": [
        {"name": "gpu1", "launcher": ["ssh", "gpu1"], "plugins": "/opt/plugins"},
        {"name": "local", "sandbox": false, "readable": ["/data"]}]})");
    ASSERT_TRUE(targets) << targets.error().text();
    ASSERT_EQ(targets->size(), 2u);
    EXPECT_EQ(targets->at(0).name, "local");
    EXPECT_FALSE(targets->at(0).wantsSandbox);
    EXPECT_EQ(whyNoSandbox(targets->at(0)), "targets.json wants none");
    EXPECT_EQ(targets->at(1).launcher, (Words{"ssh", "gpu1"}));
    EXPECT_EQ(whyNoSandbox(targets->at(1)), std::nullopt);
    EXPECT_EQ(findTarget("gpu", *targets).error().text(), "unknown target 'gpu'; known: gpu1");
}

TEST_F(Targets, thatAreWrongSayWhere)
{
    const std::string in = " (" + path("targets.json").string() + ")";
    EXPECT_EQ(read("{").error().text(), "the targets are no JSON" + in);
    EXPECT_EQ(read(R"({"targets": [{"name": 5}]})").error().text(),
              "found 5 where a text is expected (targets[0].name)" + in);
    EXPECT_EQ(read(R"({"targets": [{"name": "a"}]})").error().text(),
              "the target 'a' needs a launcher (targets[0])" + in);
    EXPECT_EQ(read(R"({"targets": [{"name": "local", "launcher": ["ssh"]}]})").error().text(),
              "the target 'local' has a launcher (targets[0])" + in);
}

TEST(LaunchCommand, isThePluginsBehindTheLauncher)
{
    Manifest plugin;
    plugin.folder = "/here/hello";
    plugin.command = {"python3", "${plugin}/it's.py"};
    EXPECT_EQ(launchCommand(plugin, withoutSandbox()), (Words{"python3", "/here/hello/it's.py"}));
    EXPECT_EQ(launchCommand(plugin, {"c", {"podman", "run", "-i", "image"}, "/opt"}),
              (Words{"podman", "run", "-i", "image", "python3", "/opt/hello/it's.py"}));
    EXPECT_EQ(launchCommand(plugin, {"g", {"/usr/bin/ssh", "gpu1"}}),
              (Words{"/usr/bin/ssh", "-o", "BatchMode=yes", "gpu1", "'python3'", "'/here/hello/it'\\''s.py'"}));
    EXPECT_EQ(launchCommand(plugin, {"q", {"srun", "--gres=gpu:1"}}),
              (Words{"srun", "--unbuffered", "--gres=gpu:1", "python3", "/here/hello/it's.py"}));
}

/// A port of this machine that somebody listens on.
class Listener {
public:
    Listener() : m_socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0))
    {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        ::bind(m_socket, reinterpret_cast<sockaddr *>(&address), sizeof address);
        ::listen(m_socket, 5);
        socklen_t size = sizeof address;
        ::getsockname(m_socket, reinterpret_cast<sockaddr *>(&address), &size);
        m_port = ntohs(address.sin_port);
    }
    Listener(const Listener &) = delete;
    Listener &operator=(const Listener &) = delete;
    ~Listener() { ::close(m_socket); }

    int port() const { return m_port; }

private:
    int m_socket;
    int m_port = 0;
};

class Escapes : public Folder {
protected:
    /// Returns what the plugin can access where it runs, as words.
    Json escape(const Target &target)
    {
        write("home/secret", "s");
        write("model/net.toy", "m");
        Session session(fakePlugin(), target, {path("model")});
        const auto reply = session.call("escape",
                                        {{"path", path("home/secret").string()},
                                         {"home", path("home").string()},
                                         {"allowed", path("model/net.toy").string()},
                                         {"port", m_listener.port()}});
        EXPECT_TRUE(reply) << reply.error().text();
        return reply ? reply->result : Json();
    }

    Listener m_listener;
};

TEST_F(Escapes, succeedWithoutTheSandbox)
{
    EXPECT_EQ(escape(withoutSandbox()),
              Json({{"read", "done"},
                    {"write", "done"},
                    {"home", "done"},
                    {"allowed", "done"},
                    {"change", "done"},
                    {"scratch", "done"},
                    {"network", "done"}}));
}

TEST_F(Escapes, failInTheSandboxWhichHasTheModel)
{
    if (sandboxFault())
        GTEST_SKIP() << *sandboxFault();
    EXPECT_EQ(escape({}),
              Json({{"read", "FileNotFoundError"},
                    {"write", "FileNotFoundError"},
                    {"home", "FileNotFoundError"},
                    {"allowed", "done"},
                    {"change", "OSError"},
                    {"scratch", "done"},
                    {"network", "ConnectionRefusedError"}}));
}

/// A variable of ours while a test runs.
class Variable {
public:
    explicit Variable(const char *name) : m_name(name) { ::setenv(name, "kept to ourselves", 1); }
    ~Variable() { ::unsetenv(m_name); }
    Variable(const Variable &) = delete;
    Variable &operator=(const Variable &) = delete;

private:
    const char *m_name;
};

TEST(Sandboxed, pluginsGetFewOfOurVariables)
{
    if (sandboxFault())
        GTEST_SKIP() << *sandboxFault();
    const Variable secret("CUTAWAY_TEST_TOKEN"), allowed("OMP_NUM_THREADS");
    const auto inside = Session(fakePlugin()).call("variables", Json::object());
    const auto outside = Session(fakePlugin(), withoutSandbox()).call("variables", Json::object());
    ASSERT_TRUE(inside && outside);
    const auto has = [](const Json &names, const char *name) { return std::ranges::contains(names, Json(name)); };
    EXPECT_TRUE(has(outside->result, "CUTAWAY_TEST_TOKEN"));
    EXPECT_FALSE(has(inside->result, "CUTAWAY_TEST_TOKEN"));
    EXPECT_TRUE(has(inside->result, "PATH"));
    EXPECT_TRUE(has(inside->result, "OMP_NUM_THREADS"));
    EXPECT_TRUE(has(inside->result, "HOME"));
}

/// PyTorch chooses its kernels by them.
TEST(Sandboxed, pluginsSeeTheProcessors)
{
    if (sandboxFault())
        GTEST_SKIP() << *sandboxFault();
    const auto inside = Session(fakePlugin()).call("processors", Json::object());
    const auto outside = Session(fakePlugin(), withoutSandbox()).call("processors", Json::object());
    ASSERT_TRUE(inside) << inside.error().text();
    ASSERT_TRUE(outside) << outside.error().text();
    EXPECT_GT(inside->result["count"], 0);
    EXPECT_EQ(inside->result, outside->result);
}

TEST(Sandboxed, pluginsAreKilledAndLimitedLikewise)
{
    if (sandboxFault())
        GTEST_SKIP() << *sandboxFault();
    Manifest plugin = fakePlugin();
    plugin.limits.memory = 300u << 20;
    Session session(plugin, {}, {}, {.grace = std::chrono::milliseconds(100)});
    EXPECT_EQ(session.call("kill", {{"signal", 9}}).error().text(),
              "the plugin 'fake' was killed by signal 9 (Killed) while running 'kill'");
    EXPECT_EQ(session.call("allocate", Json::object()).error().text(),
              "the plugin 'fake' ran out of its memory limit of 300 MiB while running 'allocate'");
    EXPECT_FALSE(session.call("loop", Json::object(), {}, {}, std::chrono::milliseconds(200)));
    EXPECT_TRUE(session.call("echo", Json::object()));
}

} // namespace

} // namespace cutaway::plugin
