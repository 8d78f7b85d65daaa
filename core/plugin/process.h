// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <sys/types.h>
#include <variant>
#include <vector>

namespace cutaway::plugin {

/// Resource limits of a process and, separately, of each of its children.
struct Limits {
    std::optional<std::uint64_t> memory; ///< bytes of writable memory; reserved address space is not counted
    std::optional<std::chrono::seconds> processorTime;
    bool operator==(const Limits &) const = default;
};

struct Exited {
    int code = 0;
    bool operator==(const Exited &) const = default;
};
struct Killed {
    int signal = 0;
    bool operator==(const Killed &) const = default;
};
using Ending = std::variant<Exited, Killed>;

/// A child process with pipes as its three standard descriptors and none of this program's other descriptors, in its
/// own session (no terminal) and process group. When it ends, the rest of the group is killed after two seconds. The
/// destructor kills the process and waits for it. The process is killed when this program ends for any reason.
class Process {
public:
    /// Starts a process. Errors (Backend): the system's message, such as "No such file or directory".
    static Result<Process> start(const std::vector<std::string> &command, const std::filesystem::path &folder,
                                 const Limits &limits);
    Process(Process &&other) noexcept;
    Process &operator=(Process &&other) noexcept;
    ~Process();

    // This program's ends of the pipes, non-blocking.
    int input() const { return m_input; }
    int output() const { return m_output; }
    int error() const { return m_error; }
    void closeInput();

    pid_t id() const { return m_id; }
    /// Returns how the process ended; nullopt if it does not end within `limit`.
    std::optional<Ending> wait(std::chrono::milliseconds limit);
    Ending kill();

private:
    Process(pid_t id, int input, int output, int error, int life)
        : m_id(id),
          m_input(input),
          m_output(output),
          m_error(error),
          m_life(life)
    {
    }
    Ending reap();

    pid_t m_id = -1; ///< the id of the process and of its group
    int m_input = -1, m_output = -1, m_error = -1;
    int m_life = -1;                ///< the write end of a pipe; the guard kills the process when it closes
    std::optional<Ending> m_ending; ///< set once the process is reaped
};

} // namespace cutaway::plugin
