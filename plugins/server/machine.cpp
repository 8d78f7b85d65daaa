// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/server/machine.h"

#include "core/base/formatted.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstring>
#include <fstream>
#include <gnu/libc-version.h>
#include <set>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <thread>
#include <unistd.h>

#ifdef __x86_64__
#include <cpuid.h>
#endif

namespace cutaway::plugins {

namespace {

namespace fs = std::filesystem;
using protocol::Machine;

std::string firstLine(const fs::path &file)
{
    std::ifstream stream(file);
    std::string line;
    std::getline(stream, line);
    return line;
}

/// Returns the number at the start of a text; 0 if there is none.
std::uint64_t leadingNumber(std::string_view text)
{
    std::uint64_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

/// Returns the bytes in a text such as "48K", which is the format of cache sizes.
std::uint64_t sizeOf(std::string_view text)
{
    const std::uint64_t unit = text.ends_with('M') ? 1 << 20 : text.ends_with('K') ? 1 << 10 : 1;
    return leadingNumber(text) * unit;
}

/// Returns the value that the first processor has for a key in /proc/cpuinfo.
std::string cpuinfo(const fs::path &root, std::string_view name)
{
    std::ifstream stream(root / "proc/cpuinfo");
    for (std::string line; std::getline(stream, line);)
        if (const std::size_t colon = line.find(": "); line.starts_with(name) && colon != std::string::npos)
            return line.substr(colon + 2);
    return {};
}

/// Returns the brand name that the processor itself reports.
std::string brand()
{
    std::string name;
#ifdef __x86_64__
    for (unsigned leaf = 0x80000002; leaf <= 0x80000004; ++leaf) {
        std::array<unsigned, 4> words{};
        if (__get_cpuid(leaf, &words[0], &words[1], &words[2], &words[3]) == 0)
            return {};
        std::array<char, sizeof words> letters{};
        std::memcpy(letters.data(), words.data(), sizeof words);
        name.append(letters.data(), letters.size());
    }
#endif
    name.resize(std::min(name.size(), std::strlen(name.c_str())));
    return name;
}

std::string trimmed(std::string text)
{
    text.erase(0, text.find_first_not_of(' '));
    text.erase(text.find_last_not_of(' ') + 1);
    return text;
}

void readTopology(const fs::path &processors, Machine &machine)
{
    std::set<std::string> sockets, cores;
    std::error_code error;
    for (fs::directory_iterator entry(processors, error), end; !error && entry != end; entry.increment(error)) {
        const fs::path topology = entry->path() / "topology";
        const std::string socket = firstLine(topology / "physical_package_id");
        if (socket.empty())
            continue; // the processor is offline, or the folder is none of a processor
        ++machine.threads;
        sockets.insert(socket);
        cores.insert(socket + "." + firstLine(topology / "core_id"));
    }
    machine.sockets = sockets.size();
    machine.cores = cores.size();
}

void readCaches(const fs::path &caches, Machine &machine)
{
    const std::array sizes{&machine.level1, &machine.level2, &machine.level3};
    std::error_code error;
    for (fs::directory_iterator entry(caches, error), end; !error && entry != end; entry.increment(error)) {
        const std::uint64_t level = leadingNumber(firstLine(entry->path() / "level"));
        if (level >= 1 && level <= sizes.size() && firstLine(entry->path() / "type") != "Instruction")
            *sizes[level - 1] = sizeOf(firstLine(entry->path() / "size"));
    }
}

void readClocks(const fs::path &root, const fs::path &frequency, Machine &machine)
{
    constexpr double kilo = 1e3, mega = 1e6;
    machine.clock = static_cast<double>(leadingNumber(firstLine(frequency / "scaling_cur_freq"))) * kilo;
    machine.fastestClock = static_cast<double>(leadingNumber(firstLine(frequency / "cpuinfo_max_freq"))) * kilo;
    machine.governor = firstLine(frequency / "scaling_governor");
    if (machine.clock == 0)
        machine.clock = static_cast<double>(leadingNumber(cpuinfo(root, "cpu MHz"))) * mega;
}

} // namespace

Machine thisMachine(const fs::path &root)
{
    const fs::path processors = root / "sys/devices/system/cpu";
    Machine machine;
    utsname system{};
    if (uname(&system) == 0) {
        machine.host = system.nodename;
        machine.system = std::string(system.sysname) + " " + system.release;
    }
    machine.processor = cpuinfo(root, "model name");
    if (machine.processor.empty())
        machine.processor = brand();
    machine.processor = trimmed(machine.processor);
    readTopology(processors, machine);
    readCaches(processors / "cpu0/cache", machine);
    readClocks(root, processors / "cpu0/cpufreq", machine);
    machine.usable = std::thread::hardware_concurrency();
    machine.memory = static_cast<std::uint64_t>(std::max(sysconf(_SC_PHYS_PAGES), 0L))
        * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    return machine;
}

protocol::Devices::Device processor()
{
    const protocol::Machine machine = thisMachine();
    const std::string threads = formatted("{} {}", machine.usable, machine.usable == 1 ? "thread" : "threads");
    return {"cpu", machine.processor.empty() ? threads : machine.processor + ", " + threads, machine.memory};
}

std::optional<std::uint64_t> threadCount()
{
    std::error_code error;
    fs::directory_iterator entry("/proc/self/task", error);
    if (error)
        return std::nullopt;
    return static_cast<std::uint64_t>(std::distance(entry, fs::directory_iterator()));
}

std::uint64_t peakMemory()
{
    rusage usage{};
    return getrusage(RUSAGE_SELF, &usage) == 0 ? static_cast<std::uint64_t>(usage.ru_maxrss) * 1024 : 0;
}

std::string systemLibrary() { return std::string("glibc ") + gnu_get_libc_version(); }

std::string timeNow()
{
    return formatted("{:%FT%TZ}", std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now()));
}

} // namespace cutaway::plugins
