// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plugin/process.h"

#include "core/base/pipe.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <sstream>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace cutaway::plugin {

namespace {

using Clock = std::chrono::steady_clock;

/// The time that children of a killed program have to end by themselves. The helper of srun needs it to cancel its
/// cluster job, which would otherwise run on.
constexpr std::chrono::milliseconds shutdownGrace{2'000};

void limit(decltype(RLIMIT_DATA) resource, std::uint64_t soft, std::uint64_t hard)
{
    rlimit current{};
    ::getrlimit(resource, &current);
    const rlimit wanted{std::min<rlim_t>(soft, current.rlim_max), std::min<rlim_t>(hard, current.rlim_max)};
    ::setrlimit(resource, &wanted);
}

/// The code that runs in the child between fork and exec. Other threads may have held locks at the fork, so only
/// async-signal-safe calls are allowed.
struct Child {
    std::vector<char *> arguments;
    const char *folder;
    const Limits &limits;
    int input, output, error; ///< the child's ends of the pipes
    int failure;              ///< receives errno if the program cannot be started
    int life;                 ///< a pipe whose write end only this program has, so that it closes when the program ends

    /// Starts a guard process that kills the group, as reap() does, if this program itself is killed. The guard is an
    /// orphan, so that the plugin has no unknown child. It is a shell, so that it does not keep a copy of this
    /// program's memory alive. A line written to `life` ends it.
    void startGuard() const
    {
        std::array<char, 16> group{};
        std::to_chars(group.data(), group.data() + group.size() - 1, ::getpid());
        if (const pid_t parent = ::fork(); parent != 0) {
            ::waitpid(parent, nullptr, 0);
            return;
        }
        if (::fork() != 0)
            ::_exit(0);
        ::setpgid(0, 0);
        ::dup2(life, STDIN_FILENO);
        ::close_range(STDOUT_FILENO, ~0U, 0); // the guard must not keep the outputs open
        static_assert(shutdownGrace == std::chrono::seconds(2));
        ::execl("/bin/sh", "sh", "-c", "read -r _ && exit; kill -KILL \"$1\"; sleep 2; kill -KILL -- \"-$1\"", "sh",
                group.data(), nullptr);
        ::_exit(127);
    }

    [[noreturn]] void run() const
    {
        ::setsid();
        startGuard();
        struct sigaction defaultAction{};
        defaultAction.sa_handler = SIG_DFL;
        ::sigaction(SIGPIPE, &defaultAction, nullptr);
        ::sigaction(SIGXFSZ, &defaultAction, nullptr);
        sigset_t none;
        ::sigemptyset(&none);
        ::sigprocmask(SIG_SETMASK, &none, nullptr);
        ::dup2(input, STDIN_FILENO);
        ::dup2(output, STDOUT_FILENO);
        ::dup2(error, STDERR_FILENO);
        ::close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
        if (limits.memory)
            limit(RLIMIT_DATA, *limits.memory, *limits.memory);
        if (limits.processorTime) // SIGXCPU shows the cause; SIGKILL follows a second later where it is ignored
            limit(RLIMIT_CPU, static_cast<std::uint64_t>(limits.processorTime->count()),
                  static_cast<std::uint64_t>(limits.processorTime->count()) + 1);
        limit(RLIMIT_CORE, 0, 0);
        if (*folder == '\0' || ::chdir(folder) == 0)
            ::execvp(arguments[0], arguments.data());
        const int reason = errno;
        (void)!::write(failure, &reason, sizeof reason);
        ::_exit(127);
    }
};

/// Makes a write to a plugin that has ended fail, instead of killing this program by SIGPIPE.
void ignoreBrokenPipes()
{
    struct sigaction current{};
    ::sigaction(SIGPIPE, nullptr, &current);
    if (current.sa_handler == SIG_DFL)
        ::signal(SIGPIPE, SIG_IGN);
}

/// Whether a process of the group is still running. Zombies do not count, as some systems keep them for long.
bool isAtWork(pid_t group)
{
    if (::kill(-group, 0) != 0)
        return false;
    std::error_code error;
    for (std::filesystem::directory_iterator entry("/proc", error), end; !error && entry != end;
         entry.increment(error)) {
        std::ifstream file(entry->path() / "stat");
        std::string text;
        std::getline(file, text); // the line is "8 (sh) S 1 7 …": number, name, state, parent, group
        std::istringstream behindName(text.substr(std::min(text.rfind(')') + 1, text.size())));
        char state = 0;
        pid_t parent = 0, member = 0;
        if (behindName >> state >> parent >> member && member == group && state != 'Z' && state != 'X')
            return true;
    }
    return false;
}

void neverBlock(int descriptor) { ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) | O_NONBLOCK); }

} // namespace

Result<Process> Process::start(const std::vector<std::string> &command, const std::filesystem::path &folder,
                               const Limits &limits)
{
    Pipe input, output, error, failure, life;
    if (!input.open() || !output.open() || !error.open() || !failure.open() || !life.open())
        return backendError(std::string("no pipe can be made: ") + std::strerror(errno));
    ignoreBrokenPipes();
    Child child{{}, folder.c_str(), limits, input.read, output.write, error.write, failure.write, life.read};
    for (const std::string &word : command)
        child.arguments.push_back(const_cast<char *>(word.c_str())); // execvp() does not write to its arguments
    child.arguments.push_back(nullptr);

    const pid_t id = ::fork();
    if (id < 0)
        return backendError(std::string("no process can be made: ") + std::strerror(errno));
    if (id == 0)
        child.run();
    Process process(id, std::exchange(input.write, -1), std::exchange(output.read, -1), std::exchange(error.read, -1),
                    std::exchange(life.write, -1));
    closeDescriptor(failure.write);
    int reason = 0;
    ssize_t size = 0;
    while ((size = ::read(failure.read, &reason, sizeof reason)) < 0 && errno == EINTR) { }
    if (size == sizeof reason)
        return backendError(command.front() + ": " + std::strerror(reason));
    for (const int end : {process.m_input, process.m_output, process.m_error})
        neverBlock(end);
    return process;
}

Process::Process(Process &&other) noexcept
    : m_id(std::exchange(other.m_id, -1)),
      m_input(std::exchange(other.m_input, -1)),
      m_output(std::exchange(other.m_output, -1)),
      m_error(std::exchange(other.m_error, -1)),
      m_life(std::exchange(other.m_life, -1)),
      m_ending(other.m_ending)
{
}

Process &Process::operator=(Process &&other) noexcept
{
    std::swap(m_id, other.m_id);
    std::swap(m_input, other.m_input);
    std::swap(m_output, other.m_output);
    std::swap(m_error, other.m_error);
    std::swap(m_life, other.m_life);
    std::swap(m_ending, other.m_ending);
    return *this;
}

Process::~Process()
{
    if (m_id > 0)
        kill();
    closeDescriptor(m_input);
    closeDescriptor(m_output);
    closeDescriptor(m_error);
    closeDescriptor(m_life);
}

void Process::closeInput() { closeDescriptor(m_input); }

/// Reaps the process, then kills the rest of its group after the grace time. The id of the group, which is the
/// process's, is not reused while the group has a process.
Ending Process::reap()
{
    ::kill(m_id, SIGKILL);
    int status = 0;
    while (::waitpid(m_id, &status, 0) < 0 && errno == EINTR) { }
    const auto deadline = Clock::now() + shutdownGrace;
    while (isAtWork(m_id) && Clock::now() < deadline)
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    ::kill(-m_id, SIGKILL);
    (void)!::write(m_life, "\n", 1);
    m_ending = WIFSIGNALED(status) ? Ending(Killed{WTERMSIG(status)}) : Ending(Exited{WEXITSTATUS(status)});
    return *m_ending;
}

std::optional<Ending> Process::wait(std::chrono::milliseconds limit)
{
    const auto deadline = Clock::now() + limit;
    while (!m_ending) {
        siginfo_t state{};
        if (::waitid(P_PID, static_cast<id_t>(m_id), &state, WEXITED | WNOHANG | WNOWAIT) == 0 && state.si_pid == m_id)
            return reap();
        if (Clock::now() >= deadline)
            return std::nullopt;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return m_ending;
}

Ending Process::kill() { return m_ending ? *m_ending : reap(); }

} // namespace cutaway::plugin
