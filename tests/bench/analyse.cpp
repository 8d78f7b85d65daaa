// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Shapes, costs and live memory of models' main functions: analyse FILE [SYMBOL=N], or analyse --all FILE... Prints for
// each the CPU milliseconds of the median of nine times: without reading the file, with it, and of analysing once more
// what was analysed with nothing given.
#include "core/analysis/analysis.h"
#include "core/formats/format.h"
#include "core/request/given.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <vector>

namespace {

using namespace cutaway;

double milliseconds(std::clock_t from, std::clock_t to)
{
    return 1000. * static_cast<double>(to - from) / CLOCKS_PER_SEC;
}

double median(std::vector<double> times)
{
    std::ranges::sort(times);
    return times[times.size() / 2];
}

int time(const char *file, const std::vector<std::string> &texts)
{
    std::vector<double> alone;
    std::vector<double> whole;
    std::vector<double> again;
    for (int i = 0; i < 9; ++i) {
        const std::clock_t start = std::clock();
        auto model = formats::open(file);
        if (!model || model->functions.empty()) {
            std::fprintf(stderr, "%s: %s\n", file, model ? "no graph" : model.error().text().c_str());
            return 3;
        }
        const auto given = request::readGiven(*model, ir::FunctionId{0}, texts, {});
        if (!given) {
            std::fprintf(stderr, "%s\n", given.error().text().c_str());
            return 2;
        }
        const std::clock_t opened = std::clock();
        const auto analysis = analysis::analyse(*model, ir::FunctionId{0}, *given);
        const std::clock_t done = std::clock();
        const auto open = analysis::analyse(*model, ir::FunctionId{0});
        const std::clock_t begun = std::clock();
        const auto bound = analysis::analyse(*model, open, *given);
        again.push_back(milliseconds(begun, std::clock()));
        alone.push_back(milliseconds(opened, done));
        whole.push_back(milliseconds(start, done));
    }
    std::printf("%.3f %.3f %.3f %s\n", median(alone), median(whole), median(again), file);
    return 0;
}

} // namespace

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    if (std::strcmp(argv[1], "--all") != 0)
        return time(argv[1], {argv + 2, argv + argc});
    for (int i = 2; i < argc; ++i)
        if (time(argv[i], {}) != 0)
            return 3;
    return 0;
}
