// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plugin/interpreter.h"
#include "core/plugin/sandbox.h"
#include "core/plugin/target.h"
#include "tests/core/plugin/folder.h"

#include <algorithm>
#include <cstdlib>
#include <map>

namespace cutaway::plugin {

namespace {

namespace fs = std::filesystem;
using Folders = std::vector<fs::path>;

/// The variables that tell of an environment are the test's.
class Interpreter : public Folder {
protected:
    Interpreter()
    {
        for (const char *name : {"HOME", "PATH", "VIRTUAL_ENV", "CONDA_PREFIX", pythonVariable}) {
            const char *value = std::getenv(name);
            m_before[name] = value ? std::optional<std::string>(value) : std::nullopt;
            ::unsetenv(name);
        }
        set("HOME", path("home"));
    }
    ~Interpreter() override
    {
        for (const auto &[name, value] : m_before)
            value ? ::setenv(name.c_str(), value->c_str(), 1) : ::unsetenv(name.c_str());
    }

    void set(const char *name, const fs::path &value) { ::setenv(name, value.c_str(), 1); }
    const bool m_isBare = sandboxFault().has_value(); ///< found out with the user's PATH

    /// An environment with a Python of its own.
    fs::path environment(const std::string &name)
    {
        write(name + "/bin/python3", "#!/bin/sh\n");
        return path(name);
    }

private:
    std::map<std::string, std::optional<std::string>> m_before;
};

TEST_F(Interpreter, isThatOfThePathWithoutAnEnvironment) { EXPECT_EQ(interpreter(), "python3"); }

TEST_F(Interpreter, isThatOfTheActiveEnvironment)
{
    set("CONDA_PREFIX", environment("conda"));
    EXPECT_EQ(interpreter(), path("conda/bin/python3"));
    set("VIRTUAL_ENV", environment("venv"));
    EXPECT_EQ(interpreter(), path("venv/bin/python3"));
    set("VIRTUAL_ENV", path("removed"));
    EXPECT_EQ(interpreter(), path("conda/bin/python3"));
}

TEST_F(Interpreter, isTheOneThatIsNamedByProgramOrFolder)
{
    set("VIRTUAL_ENV", environment("venv"));
    set(pythonVariable, environment("mine"));
    EXPECT_EQ(interpreter(), path("mine/bin/python3"));
    set(pythonVariable, "python3.12");
    EXPECT_EQ(interpreter(), "python3.12");
    EXPECT_EQ(interpreter(environment("configured")), "python3.12");
    ::unsetenv(pythonVariable);
    EXPECT_EQ(interpreter(path("configured")), path("configured/bin/python3"));
}

TEST_F(Interpreter, isSeenWithItsEnvironmentAndWhatThatWasMadeFrom)
{
    environment("home/pythons/3.12");
    fs::create_directories(path("home/venv/bin"));
    fs::create_symlink(path("home/pythons/3.12/bin/python3"), path("home/venv/bin/python3"));
    EXPECT_EQ(foldersOf(path("home/venv/bin/python3")),
              (Folders{path("home/venv"), fs::canonical(path("home/pythons/3.12"))}));
    set("PATH", path("none").string() + ":" + path("home/venv/bin").string());
    EXPECT_EQ(foldersOf("python3").size(), 2u);
}

TEST_F(Interpreter, doesNotOpenTheHomeFolder)
{
    environment("home");
    EXPECT_EQ(foldersOf(path("home/bin/python3")), Folders());
    EXPECT_EQ(foldersOf("no-such-python"), Folders());
}

TEST_F(Interpreter, runsPluginsThatAskForIt)
{
    set("VIRTUAL_ENV", environment("home/venv"));
    Manifest plugin;
    plugin.folder = "/here/torch-python";
    plugin.command = {pythonWord, "${plugin}/run"};
    using Words = std::vector<std::string>;
    EXPECT_EQ(ownCommand(plugin, {}), (Words{path("home/venv/bin/python3"), "/here/torch-python/run"}));
    EXPECT_EQ(ownCommand(plugin, {.name = "gpu1", .launcher = {"ssh", "gpu1"}, .folder = "/opt"}),
              (Words{"python3", "/opt/torch-python/run"}));
    EXPECT_EQ(ownCommand(plugin, {.name = "gpu1", .launcher = {"ssh", "gpu1"}, .python = "/env/bin/python"}),
              (Words{"/env/bin/python", "/here/torch-python/run"}));
    EXPECT_TRUE(m_isBare || std::ranges::contains(launchCommand(plugin, {}), path("home/venv").string()));
}

} // namespace

} // namespace cutaway::plugin
