// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/server/machine.h"

#include <fstream>
#include <gtest/gtest.h>
#include <regex>

namespace cutaway::plugins {

namespace {

namespace fs = std::filesystem;

/// A root folder with the files that a system would have.
class FakeRoot : public testing::Test {
protected:
    FakeRoot()
        : m_root(fs::temp_directory_path()
                 / (std::string("cutaway-") + testing::UnitTest::GetInstance()->current_test_info()->name()))
    {
        fs::remove_all(m_root);
        fs::create_directories(m_root);
    }
    ~FakeRoot() override { fs::remove_all(m_root); }

    void write(const std::string &name, const std::string &content)
    {
        fs::create_directories((m_root / name).parent_path());
        std::ofstream(m_root / name) << content;
    }
    /// A thread of a core of a socket.
    void writeThread(int number, int socket, int core)
    {
        const std::string folder = "sys/devices/system/cpu/cpu" + std::to_string(number) + "/topology/";
        write(folder + "physical_package_id", std::to_string(socket) + "\n");
        write(folder + "core_id", std::to_string(core) + "\n");
    }
    void writeCache(int index, const std::string &level, const std::string &type, const std::string &size)
    {
        const std::string folder = "sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/";
        write(folder + "level", level + "\n");
        write(folder + "type", type + "\n");
        write(folder + "size", size + "\n");
    }
    protocol::Machine machine() const { return thisMachine(m_root); }

private:
    fs::path m_root;
};

TEST_F(FakeRoot, tellsTheProcessorByItsFirstEntry)
{
    write("proc/cpuinfo", "processor\t: 0\nmodel name\t: Z80  \ncpu MHz\t\t: 2200.5\n\nmodel name\t: 6502\n");
    EXPECT_EQ(machine().processor, "Z80");
    EXPECT_EQ(machine().clock, 2200e6);
}

TEST_F(FakeRoot, countsSocketsCoresAndThreads)
{
    for (const auto [number, socket, core] : std::vector<std::array<int, 3>>{
             {0, 0, 0}, {1, 0, 0}, {2, 0, 1}, {3, 0, 1}, {4, 1, 0}, {5, 1, 0}, {6, 1, 1}, {7, 1, 1}})
        writeThread(number, socket, core);
    write("sys/devices/system/cpu/cpu8/online", "0\n"); // it is off: no topology
    write("sys/devices/system/cpu/online", "0-7\n");
    EXPECT_EQ(machine().sockets, 2u);
    EXPECT_EQ(machine().cores, 4u);
    EXPECT_EQ(machine().threads, 8u);
}

TEST_F(FakeRoot, knowsTheDataCaches)
{
    writeCache(0, "1", "Data", "48K");
    writeCache(1, "1", "Instruction", "32K");
    writeCache(2, "2", "Unified", "2M");
    writeCache(3, "3", "Unified", "36864K");
    EXPECT_EQ(machine().level1, 48u << 10);
    EXPECT_EQ(machine().level2, 2u << 20);
    EXPECT_EQ(machine().level3, 36u << 20);
}

TEST_F(FakeRoot, prefersTheGovernorsClock)
{
    write("proc/cpuinfo", "cpu MHz\t\t: 2200\n");
    write("sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "3100000\n");
    write("sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", "4500000\n");
    write("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
    EXPECT_EQ(machine().clock, 3.1e9);
    EXPECT_EQ(machine().fastestClock, 4.5e9);
    EXPECT_EQ(machine().governor, "powersave");
}

TEST_F(FakeRoot, saysNothingOfWhatIsNotThere)
{
    EXPECT_EQ(machine().sockets, 0u);
    EXPECT_EQ(machine().level3, 0u);
    EXPECT_EQ(machine().clock, 0);
    EXPECT_EQ(machine().governor, "");
}

TEST(ThisMachine, hasMemoryASystemAndATime)
{
    EXPECT_GT(thisMachine().memory, 1u << 20);
    EXPECT_GE(thisMachine().usable, 1u);
    EXPECT_TRUE(thisMachine().system.starts_with("Linux ")) << thisMachine().system;
    EXPECT_TRUE(systemLibrary().starts_with("glibc ")) << systemLibrary();
    EXPECT_TRUE(std::regex_match(timeNow(), std::regex(R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)"))) << timeNow();
    EXPECT_GE(threadCount().value_or(1), 1u);
}

} // namespace

} // namespace cutaway::plugins
