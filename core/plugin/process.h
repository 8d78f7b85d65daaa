// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <sys/types.h>
#include <variant>
#include <vector>

namespace cutaway::plugin {

/// What the kernel lets a process have, each of those that it starts likewise.
struct Limits {
    std::optional<std::uint64_t> memory; ///< bytes that it can write to; reserved address space is not counted
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

/// A program with pipes on its three standard descriptors and no other descriptor of ours, in a session and process
/// group of its own: without a terminal to ask somebody on. What it has started is killed after it, if it has not ended
/// two seconds later. Move-only; it is killed and waited for when the object goes, and killed when this program ends in
/// whatever way.
class Process {
public:
    /// Errors (Backend): what the system says of the program, as "No such file or directory".
    static Result<Process> start(const std::vector<std::string> &command, const std::filesystem::path &folder,
                                 const Limits &limits);
    Process(Process &&other) noexcept;
    Process &operator=(Process &&other) noexcept;
    ~Process();

    // Our ends of the pipes; they never block.
    int input() const { return m_input; }
    int output() const { return m_output; }
    int error() const { return m_error; }
    void closeInput();

    pid_t id() const { return m_id; }
    /// How it ended, if it does so within this time.
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

    pid_t m_id = -1; ///< also of the group
    int m_input = -1, m_output = -1, m_error = -1;
    int m_life = -1;                ///< its end ends the process
    std::optional<Ending> m_ending; ///< once it is waited for
};

} // namespace cutaway::plugin
