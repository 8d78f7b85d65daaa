// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plugin/failure.h"

#include "core/base/formatted.h"
#include "core/base/overloaded.h"
#include "core/base/text.h"
#include "core/protocol/methods.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>

namespace cutaway::plugin {

namespace {

bool isStarting(const Circumstances &c) { return c.method == protocol::Initialize::method; }

std::string subject(const Circumstances &c)
{
    const std::string on = c.target == "local" || c.target.empty() ? "" : formatted(" on {}", c.target);
    return formatted("the plugin '{}'{}", c.plugin, on);
}

std::string doing(const Circumstances &c)
{
    return isStarting(c) ? "while starting" : formatted("while running '{}'", c.method);
}

/// Returns the last non-blank line, where programs usually print the cause of a failure.
std::string lastLine(std::string_view errorOutput)
{
    constexpr std::size_t shown = 200;
    const std::size_t end = errorOutput.find_last_not_of(" \t\r\n");
    if (end == std::string_view::npos)
        return {};
    errorOutput = errorOutput.substr(0, end + 1);
    errorOutput = errorOutput.substr(errorOutput.find_last_of('\n') + 1);
    // As "/usr/bin/runner: error while loading shared libraries: libfoo.so.1: cannot open shared object file: …"
    constexpr std::string_view linker = "error while loading shared libraries: ";
    if (const std::size_t at = errorOutput.find(linker); at != std::string_view::npos)
        errorOutput.remove_prefix(at + linker.size());
    return sanitized(errorOutput.substr(0, shown)) + (errorOutput.size() > shown ? "…" : "");
}

/// Returns advice for the user if the system's linker could not start the program; "" for every other reason.
std::string adviceOn(std::string_view errorOutput)
{
    if (errorOutput.contains("cannot open shared object file"))
        return "; install what has this library";
    // For example "/x/runner: /lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.38' not found (required by /x/runner)"
    if (errorOutput.contains(": version `") && errorOutput.contains("' not found (required by "))
        return "; it was built for a newer system than this one: build it here";
    return {};
}

bool speaksOfMemory(std::string_view errorOutput)
{
    static constexpr std::array words{"MemoryError", "bad_alloc", "Cannot allocate memory", "out of memory",
                                      "Out of memory"};
    return std::ranges::any_of(words, [&](const char *word) { return errorOutput.contains(word); });
}

/// Returns how the program itself ended: launchers and shells exit with 128 + signal if a signal killed their child.
Ending seenThroughLaunchers(Ending ending)
{
    const auto *exited = std::get_if<Exited>(&ending);
    return exited && exited->code > 128 && exited->code <= 128 + SIGSYS ? Ending(Killed{exited->code - 128}) : ending;
}

/// Returns which limit that Cutaway has set ended the process, if one did.
std::optional<std::string> limitReached(const Ending &ending, const Circumstances &c)
{
    const auto *killed = std::get_if<Killed>(&ending);
    if (c.limits.processorTime && killed && killed->signal == SIGXCPU)
        return formatted("ran out of its processor time of {} s", c.limits.processorTime->count());
    if (c.limits.memory && speaksOfMemory(c.errorOutput))
        return formatted("ran out of its memory limit of {}", byteCount(static_cast<double>(*c.limits.memory)));
    return std::nullopt;
}

std::string endingText(const Ended &ended, const Circumstances &c)
{
    if (!ended.how)
        return "closed its output " + doing(c);
    const Ending ending = seenThroughLaunchers(*ended.how);
    if (const auto reached = limitReached(ending, c))
        return *reached + " " + doing(c);
    if (const auto *killed = std::get_if<Killed>(&ending))
        return formatted("was killed by signal {} ({}) {}", killed->signal, ::sigdescr_np(killed->signal), doing(c));
    if (ended.cut)
        return ended.cut->text();
    const std::string line = lastLine(c.errorOutput);
    const int code = std::get<Exited>(ending).code;
    if (isStarting(c) && code != 0)
        return "could not be started: "
            + (line.empty() ? formatted("it ended with exit code {}", code) : line + adviceOn(c.errorOutput));
    return formatted("ended with exit code {} {}{}", code, doing(c), line.empty() ? "" : ": " + line);
}

/// Returns the time in seconds: "5", "0.2".
std::string secondsText(std::chrono::milliseconds time)
{
    return formatted("{:g}", std::chrono::duration<double>(time).count());
}

Error backend(std::string message) { return {ErrorKind::Backend, std::move(message), {}}; }

} // namespace

Error failureOf(const Interruption &interruption, const Circumstances &c)
{
    if (std::holds_alternative<Stopped>(interruption))
        return cancelled().error();
    const auto text = Overloaded{
        [&](const TimedOut &) {
            return formatted(
                "did not answer within {} s {}{}", secondsText(c.limit), doing(c),
                isStarting(c) ? "" : " and was stopped; --plugin-timeout or CUTAWAY_PLUGIN_TIMEOUT sets the limit");
        },
        [](const Stopped &) { return std::string(); }, [&](const Ended &ended) { return endingText(ended, c); },
        [](const Malformed &malformed) { return malformed.error.text(); },
        [](const PasswordAsked &asked) {
            return formatted("or what launches it asked for a password, which cannot be entered: '{}'",
                             sanitized(asked.prompt));
        }};
    return backend(subject(c) + " " + std::visit(text, interruption));
}

Error startFailure(std::string_view reason, const Circumstances &c)
{
    return backend(formatted("{} could not be started: {}", subject(c), reason));
}

Error failureOf(const protocol::Failure &failure, const Circumstances &c)
{
    using enum protocol::FailureCode;
    const std::string message = sanitized(failure.message);
    switch (failure.code) {
    case RequestCancelled:
        return cancelled().error();
    case MethodNotFound:
        return backend(formatted("{} has no '{}'", subject(c), c.method));
    case InvalidParams:
        return {ErrorKind::Usage, formatted("{}: {}", subject(c), message), {}};
    case UnreadableFile:
        return {ErrorKind::Unreadable, formatted("{}: {}", subject(c), message), {}};
    default:
        break;
    }
    if (c.limits.memory && speaksOfMemory(failure.message))
        return backend(formatted("{} ran out of its memory limit of {} {}", subject(c),
                                 byteCount(static_cast<double>(*c.limits.memory)), doing(c)));
    return backend(formatted("{} failed {}: {}", subject(c), doing(c), message));
}

Error wrongVersion(int spoken, const Circumstances &c)
{
    return backend(
        formatted("{} speaks protocol {}, this Cutaway speaks {}: install the plugin's version for this Cutaway",
                  subject(c), spoken, protocol::version));
}

} // namespace cutaway::plugin
