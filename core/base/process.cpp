// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/base/process.h"

#include "core/base/pipe.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace cutaway {

namespace {

using Clock = std::chrono::steady_clock;

struct Pipes {
    Pipe input, output, error;
};

std::unexpected<Error> backend(std::string message)
{
    return std::unexpected(Error{ErrorKind::Backend, std::move(message), {}});
}

/// Starts the program in its own process group, so that its child processes can be killed with it.
Result<pid_t> start(const std::vector<std::string> &command, const Pipes &pipes)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_adddup2(&actions, pipes.input.read, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, pipes.output.write, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, pipes.error.write, STDERR_FILENO);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
    sigset_t defaults;
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    sigaddset(&defaults, SIGXFSZ);
    posix_spawnattr_setsigdefault(&attributes, &defaults);

    std::vector<char *> arguments;
    for (const std::string &word : command)
        arguments.push_back(const_cast<char *>(word.c_str()));
    arguments.push_back(nullptr);
    pid_t pid = 0;
    const int failure = ::posix_spawnp(&pid, arguments[0], &actions, &attributes, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (failure != 0)
        return backend("the program " + command[0] + " cannot be started: " + std::strerror(failure));
    return pid;
}

/// Reads what is available; returns false at the end of the stream.
bool drain(int fd, std::string &into)
{
    std::array<char, 65536> buffer;
    const ssize_t n = ::read(fd, buffer.data(), buffer.size());
    if (n > 0)
        into.append(buffer.data(), static_cast<std::size_t>(n));
    return n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR));
}

/// Writes what the pipe accepts; returns false when everything is written or the reading end is closed.
bool feed(int fd, std::string_view &input)
{
    const ssize_t n = ::write(fd, input.data(), input.size());
    if (n > 0)
        input.remove_prefix(static_cast<std::size_t>(n));
    return !input.empty() && (n > 0 || errno == EAGAIN || errno == EINTR);
}

/// Transfers input and output. Returns true when the program has closed its outputs, false at the deadline or a stop.
bool converse(Pipes &pipes, std::string_view input, ProcessOutput &result, Clock::time_point deadline,
              const std::stop_token &stop)
{
    while (pipes.output.read >= 0 || pipes.error.read >= 0) {
        if (stop.stop_requested() || Clock::now() >= deadline)
            return false;
        // poll() skips negative descriptors, so closed ends may stay in the list.
        std::array<pollfd, 3> ends{
            {{pipes.input.write, POLLOUT, 0}, {pipes.output.read, POLLIN, 0}, {pipes.error.read, POLLIN, 0}}};
        ::poll(ends.data(), ends.size(), 20);
        if (ends[0].revents != 0 && !feed(pipes.input.write, input))
            closeDescriptor(pipes.input.write);
        if (ends[1].revents != 0 && !drain(pipes.output.read, result.standardOutput))
            closeDescriptor(pipes.output.read);
        if (ends[2].revents != 0 && !drain(pipes.error.read, result.standardError))
            closeDescriptor(pipes.error.read);
    }
    return true;
}

/// Ignores SIGPIPE, which would kill this process if a program ends before it has read its input.
void ignoreBrokenPipes()
{
    struct sigaction current{};
    ::sigaction(SIGPIPE, nullptr, &current);
    if (current.sa_handler == SIG_DFL)
        ::signal(SIGPIPE, SIG_IGN);
}

} // namespace

Result<ProcessOutput> runProcess(const std::vector<std::string> &command, std::string_view input,
                                 std::chrono::milliseconds limit, std::stop_token stop)
{
    Pipes pipes;
    if (!pipes.input.open() || !pipes.output.open() || !pipes.error.open())
        return backend(std::string("no pipe can be made: ") + std::strerror(errno));
    ignoreBrokenPipes();
    CUTAWAY_TRY(const pid_t pid, start(command, pipes));
    closeDescriptor(pipes.input.read);
    closeDescriptor(pipes.output.write);
    closeDescriptor(pipes.error.write);
    for (const int fd : {pipes.input.write, pipes.output.read, pipes.error.read})
        ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK);
    if (input.empty())
        closeDescriptor(pipes.input.write);

    ProcessOutput result;
    const bool finished = converse(pipes, input, result, Clock::now() + limit, stop);
    if (!finished)
        ::kill(-pid, SIGKILL);
    int status = 0;
    while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) { }
    if (stop.stop_requested())
        return cancelled();
    result.timedOut = !finished;
    if (finished && WIFSIGNALED(status))
        return backend("the program " + command[0] + " was ended by signal " + std::to_string(WTERMSIG(status)));
    result.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return result;
}

} // namespace cutaway
