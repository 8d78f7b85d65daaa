// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/base/mapped_file.h"
#include "core/base/temporary_folder.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <linux/capability.h>
#include <numeric>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>

namespace cutaway {
namespace {

class MappedFileTest : public testing::Test {
protected:
    std::filesystem::path write(const std::string &name, const std::string &content) const
    {
        std::ofstream(m_folder / name) << content;
        return m_folder / name;
    }

    const TemporaryFolder m_temporary = TemporaryFolder::make().value();
    const std::filesystem::path m_folder = m_temporary.path();
};

TEST_F(MappedFileTest, MayBeMoreThanTheProcessHasOpenAtFirst)
{
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
    const rlimit few{64, before.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
    const std::filesystem::path path = write("a", "hello");
    std::vector<MappedFile> files;
    for (int i = 0; i < 100; ++i) {
        auto file = MappedFile::open(path);
        ASSERT_TRUE(file) << file.error().text();
        files.push_back(std::move(*file));
    }
    EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
}

TEST_F(MappedFileTest, ShowsTheBytes)
{
    auto file = MappedFile::open(write("a", "hello"));
    ASSERT_TRUE(file);
    const MappedFile moved = std::move(*file);
    EXPECT_EQ(moved.bytes().size(), 5u);
    EXPECT_EQ(moved.bytes()[1], std::byte{'e'});
}

TEST_F(MappedFileTest, OpensAnEmptyFile)
{
    const auto file = MappedFile::open(write("empty", ""));
    ASSERT_TRUE(file);
    EXPECT_TRUE(file->bytes().empty());
}

/// Makes a socket of this name, closed again: the name stays.
void makeSocket(const std::filesystem::path &path)
{
    sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
    path.string().copy(address.sun_path, sizeof address.sun_path - 1);
    const int fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
    ASSERT_EQ(::bind(fd, reinterpret_cast<const sockaddr *>(&address), sizeof address), 0);
    ::close(fd);
}

/// Gives up the root user's right to read everything, for the calling thread.
void obeyPermissions()
{
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct data[2] = {};
    ASSERT_EQ(::syscall(SYS_capset, &header, data), 0);
}

TEST_F(MappedFileTest, RefusesWhatIsNoRegularFile)
{
    const auto fifo = m_folder / "fifo", socket = m_folder / "socket", loop = m_folder / "loop";
    ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
    ASSERT_NO_FATAL_FAILURE(makeSocket(socket));
    std::filesystem::create_symlink(loop, loop);
    struct Row {
        std::filesystem::path path;
        const char *says;
    };
    for (const Row &row : {Row{m_folder, "folder"}, Row{fifo, "pipe"}, Row{"/dev/zero", "device"},
                           Row{socket, "socket"}, Row{m_folder / "none", "No such file"}, Row{loop, "symbolic links"},
                           Row{m_folder / std::string(300, 'n'), "too long"}, Row{"", "No such file"}}) {
        const auto file = MappedFile::open(row.path);
        ASSERT_FALSE(file) << row.path;
        EXPECT_NE(file.error().message.find(row.says), std::string::npos) << file.error().message;
    }
}

TEST_F(MappedFileTest, SaysThatAFileMayNotBeRead)
{
    const auto path = write("secret", "hello");
    std::filesystem::permissions(path, std::filesystem::perms::none);
    std::thread([&] {
        ASSERT_NO_FATAL_FAILURE(obeyPermissions());
        const auto file = MappedFile::open(path);
        ASSERT_FALSE(file);
        EXPECT_EQ(file.error().text(), "cannot be opened: Permission denied");
    }).join();
}

constexpr std::size_t pages = 16;

unsigned sumOf(std::span<const std::byte> bytes)
{
    return std::accumulate(bytes.begin(), bytes.end(), 0u, [](unsigned sum, std::byte b) { return sum + unsigned(b); });
}

/// Returns the memory of the process that mapped files take.
std::size_t residentOfFiles()
{
    std::ifstream status("/proc/self/status");
    std::size_t kib = 0;
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("RssFile:"))
            kib = std::stoul(line.substr(line.find(':') + 1));
    return kib * 1024;
}

class ChangingFileTest : public MappedFileTest {
protected:
    const std::size_t m_page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const std::filesystem::path m_path = write("model", std::string(pages *m_page, '\1'));
    const MappedFile m_file = MappedFile::open(m_path).value();
};

TEST_F(ChangingFileTest, IsUnchangedUntilSomebodyWrites)
{
    EXPECT_EQ(sumOf(m_file.bytes()), pages * m_page);
    EXPECT_TRUE(m_file.checkUnchanged());
    std::ofstream(m_path, std::ios::app) << "more";
    EXPECT_EQ(m_file.checkUnchanged().error().message, "the file has changed since it was opened; open it again");
}

TEST_F(ChangingFileTest, IsReadAgainAfterItsPagesWereReleased)
{
    constexpr std::size_t size = 3 << 20; // small ones keep their pages
    const auto path = write("large", std::string(size, '\1'));
    const auto large = MappedFile::open(path).value();
    EXPECT_EQ(sumOf(large.bytes()), size);
    const std::size_t before = residentOfFiles();
    large.releasePages();
    EXPECT_LE(residentOfFiles(), before - size / 2); // the system counts in steps
    EXPECT_EQ(sumOf(large.bytes()), size);
    EXPECT_TRUE(large.checkUnchanged());
}

TEST_F(ChangingFileTest, NoticesOtherBytesOfTheSameLength)
{
    std::filesystem::last_write_time(m_path, std::filesystem::last_write_time(m_path) + std::chrono::seconds(1));
    EXPECT_FALSE(m_file.checkUnchanged());
}

TEST_F(ChangingFileTest, HasZerosWhereTheFileIsCutOff)
{
    std::filesystem::resize_file(m_path, 3 * m_page);
    EXPECT_EQ(sumOf(m_file.bytes().last(m_page)), 0u);
    EXPECT_EQ(sumOf(m_file.bytes()), 3 * m_page);
    const auto unchanged = m_file.checkUnchanged();
    ASSERT_FALSE(unchanged);
    EXPECT_EQ(unchanged.error().message, "the file became shorter while it was read");
}

TEST_F(ChangingFileTest, RemembersACutThatWasUndone)
{
    const auto before = std::filesystem::last_write_time(m_path);
    std::filesystem::resize_file(m_path, 0);
    EXPECT_EQ(sumOf(m_file.bytes()), 0u);
    std::filesystem::resize_file(m_path, pages * m_page);
    std::filesystem::last_write_time(m_path, before);
    EXPECT_FALSE(m_file.checkUnchanged());
}

TEST_F(ChangingFileTest, StaysTheOldFileWhereANewOneTakesItsName)
{
    std::filesystem::rename(write("new", "short"), m_path);
    EXPECT_EQ(sumOf(m_file.bytes()), pages * m_page);
    EXPECT_TRUE(m_file.checkUnchanged());
}

TEST_F(ChangingFileTest, ManyThreadsReadPastTheEnd)
{
    std::filesystem::resize_file(m_path, m_page);
    std::vector<std::jthread> threads;
    for (int i = 0; i < 8; ++i)
        threads.emplace_back([&] {
            for (int turn = 0; turn < 50; ++turn) {
                const MappedFile own = MappedFile::open(m_path).value();
                EXPECT_EQ(sumOf(own.bytes()), m_page);
                EXPECT_EQ(sumOf(m_file.bytes()), m_page);
            }
        });
}

/// A bus error that is none of a MappedFile's, while there is one; `handler` was there before it.
void failElsewhere(void (*handler)(int))
{
    std::signal(SIGBUS, handler);
    const MappedFile file = MappedFile::open("/proc/self/exe").value();
    const auto size = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const int fd = ::memfd_create("elsewhere", 0);
    const auto *bytes = static_cast<const volatile char *>(::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0));
    (void)bytes[0];
}

TEST(MappedFileDeathTest, LeavesOtherBusErrorsToWhoHandledThemBefore)
{
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(failElsewhere(SIG_DFL), testing::KilledBySignal(SIGBUS), "");
    EXPECT_EXIT(failElsewhere([](int) { ::_exit(7); }), testing::ExitedWithCode(7), "");
}

} // namespace
} // namespace cutaway
