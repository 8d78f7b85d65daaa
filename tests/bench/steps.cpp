// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Graphs that a compiler wrote down, stepped through: steps FILE [HOW-MANY]. Prints the milliseconds in which they are
// listed and the first one is read, those of each further step (median, longest), and the memory of all states together
// and of the process at its peak. make_steps.py makes such files.
#include "core/sequence/address.h"
#include "core/sequence/history.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <malloc.h>
#include <sys/resource.h>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;
double milliseconds(Clock::time_point from)
{
    return std::chrono::duration<double, std::milli>(Clock::now() - from).count();
}
double heap() { return static_cast<double>(mallinfo2().uordblks) / (1 << 20); }

} // namespace

int main(int argc, char **argv)
{
    using namespace cutaway;
    if (argc < 2)
        return 2;
    auto began = Clock::now();
    const std::string file = argv[1];
    const auto document = sequence::read(std::span(&file, 1));
    if (!document || document->sequences.empty()) {
        std::fprintf(stderr, "%s\n", document ? "no graphs" : document.error().text().c_str());
        return 3;
    }
    const double listed = milliseconds(began), empty = heap();
    began = Clock::now();
    auto history = sequence::startOfHistory(document->sequences.front());
    if (!history) {
        std::fprintf(stderr, "%s\n", history.error().text().c_str());
        return 3;
    }
    const double first = milliseconds(began), one = heap() - empty;
    const std::size_t wanted = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : history->unread().size();
    std::vector<double> times;
    while (times.size() < wanted && !history->unread().empty()) {
        began = Clock::now();
        history->readNext();
        times.push_back(milliseconds(began));
    }
    std::ranges::sort(times);
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    std::printf("listed in %.0f ms, the first graph in %.0f ms\n", listed, first);
    if (!times.empty())
        std::printf("%zu steps, each in %.1f ms, at most %.1f ms\n", times.size(), times[times.size() / 2],
                    times.back());
    std::printf("one state %.1f MiB, all %.1f MiB, the process %.0f MiB\n", one, heap() - empty,
                static_cast<double>(usage.ru_maxrss) / 1024);
}
