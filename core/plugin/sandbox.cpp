// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plugin/sandbox.h"

#include "core/base/process.h"
#include "core/base/text.h"

#include <array>
#include <cstdlib>

namespace cutaway::plugin {

namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

using Words = std::vector<std::string>;

void append(Words &to, Words words) { to.insert(to.end(), words.begin(), words.end()); }

/// Appends the words that bind the system's folders; links into /usr stay links.
void appendSystem(Words &words)
{
    append(words, {"--ro-bind", "/usr", "/usr", "--ro-bind-try", "/etc", "/etc", "--ro-bind-try", "/opt", "/opt"});
    for (const std::string folder : {"/bin", "/sbin", "/lib", "/lib32", "/lib64"}) {
        std::error_code error;
        const fs::path target = fs::read_symlink(folder, error);
        if (!error)
            append(words, {"--symlink", target.string(), folder});
        else
            append(words, {"--ro-bind-try", folder, folder});
    }
    append(words, {"--dev", "/dev", "--tmpfs", "/tmp"});
}

/// Appends the words that pass only the variables for finding programs and libraries, for the encoding of text and for
/// the number of processors: others may hold secrets, such as keys of services.
void appendVariables(Words &words)
{
    constexpr std::array kept{"PATH",
                              "LD_LIBRARY_PATH",
                              "LANG",
                              "LANGUAGE",
                              "LC_ALL",
                              "LC_CTYPE",
                              "LC_NUMERIC",
                              "TZ",
                              "OMP_NUM_THREADS",
                              "MKL_NUM_THREADS",
                              "PYTHONPATH",
                              "CUDA_VISIBLE_DEVICES",
                              "ASAN_OPTIONS",
                              "UBSAN_OPTIONS",
                              "LSAN_OPTIONS",
                              "HIP_VISIBLE_DEVICES"};
    append(words, {"--clearenv", "--setenv", "HOME", "/tmp", "--setenv", "TMPDIR", "/tmp"});
    for (const char *name : kept)
        if (const char *value = std::getenv(name))
            append(words, {"--setenv", name, value});
}

/// Appends the words that bind the devices which CUDA, ROCm and others open; --dev makes a /dev without them.
void appendDevices(Words &words)
{
    append(words,
           {"--ro-bind-try", "/sys", "/sys", "--dev-bind-try", "/dev/dri", "/dev/dri", "--dev-bind-try", "/dev/kfd",
            "/dev/kfd", "--dev-bind-try", "/dev/shm", "/dev/shm"});
    std::error_code error;
    for (fs::directory_iterator entry("/dev", error), end; !error && entry != end; entry.increment(error))
        if (entry->path().filename().string().starts_with("nvidia"))
            append(words, {"--dev-bind-try", entry->path().string(), entry->path().string()});
}

/// The contents of /proc in the sandbox. Within a container a sandbox gets no /proc of its own, and binding the
/// container's would be a way out. Most programs only need the files about the processors.
enum class Proc { Own, Processors };

/// Binds the files by which libraries choose among their kernels: without them PyTorch uses no vector instructions.
void appendProcessors(Words &words, Proc proc)
{
    if (proc == Proc::Own)
        append(words, {"--proc", "/proc"});
    else
        append(words,
               {"--ro-bind-try", "/proc/cpuinfo", "/proc/cpuinfo", "--ro-bind-try", "/proc/meminfo", "/proc/meminfo"});
    append(words, {"--ro-bind-try", "/sys/devices/system/cpu", "/sys/devices/system/cpu"});
}

Words commandWith(Proc proc, Words command, const Sandbox &sandbox)
{
    Words words{"bwrap", "--unshare-all"};
    appendSystem(words);
    appendVariables(words);
    appendProcessors(words, proc);
    if (sandbox.hasDevices)
        appendDevices(words);
    for (const fs::path &folder : sandbox.readable)
        append(words, {"--ro-bind-try", folder.string(), folder.string()});
    append(words, {"--chdir", sandbox.folder.empty() ? "/" : sandbox.folder.string(), "--"});
    append(words, std::move(command));
    return words;
}

std::optional<std::string> faultWith(Proc proc)
{
    const auto tried = runProcess(commandWith(proc, {"true"}, {}), "", 10s);
    if (!tried) // bubblewrap could not be started
        return "bubblewrap (bwrap) is not on the PATH";
    if (tried->exitCode == 0 && !tried->timedOut)
        return std::nullopt;
    return "bubblewrap makes no namespace here: "
        + sanitized(tried->standardError.substr(0, tried->standardError.find('\n')));
}

struct Trial {
    Proc proc = Proc::Own;
    std::optional<std::string> fault = faultWith(proc);
};

const Trial &trial()
{
    static const Trial trial = [] {
        const Trial ownProc;
        return ownProc.fault ? Trial{.proc = Proc::Processors} : ownProc;
    }();
    return trial;
}

} // namespace

const std::optional<std::string> &sandboxFault() { return trial().fault; }

std::vector<std::string> sandboxed(std::vector<std::string> command, const Sandbox &sandbox)
{
    return commandWith(trial().proc, std::move(command), sandbox);
}

} // namespace cutaway::plugin
