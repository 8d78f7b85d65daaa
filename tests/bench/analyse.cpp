// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Shapes, costs and live memory of a model's main function: analyse FILE [SYMBOL=N]. Prints the CPU milliseconds of the
// median of nine times, reading not counted.
#include "core/analysis/analysis.h"
#include "core/formats/format.h"
#include "core/report/given.h"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <vector>

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    const auto model = cutaway::formats::open(argv[1]);
    if (!model || model->functions.empty()) {
        std::fprintf(stderr, "%s\n", model ? "no graph" : model.error().text().c_str());
        return 3;
    }
    const std::vector<std::string> texts(argv + 2, argv + argc);
    const auto bindings = cutaway::report::parseBindings(*model, texts);
    if (!bindings) {
        std::fprintf(stderr, "%s\n", bindings.error().text().c_str());
        return 2;
    }
    std::vector<double> milliseconds;
    for (int i = 0; i < 9; ++i) {
        const std::clock_t start = std::clock();
        const auto analysis = cutaway::analysis::analyse(*model, cutaway::ir::FunctionId{0}, {*bindings, {}});
        milliseconds.push_back(1000. * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
        if (analysis.totals.shapesUnknown > 0)
            return 1;
    }
    std::ranges::sort(milliseconds);
    std::printf("%.1f\n", milliseconds[4]);
    return 0;
}
