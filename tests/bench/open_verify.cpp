// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Opens a model file to verified IR: what every other use of it costs at least.
#include "core/formats/format.h"
#include "core/ir/verify.h"

#include <cstdio>

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    const auto model = cutaway::formats::open(argv[1]);
    if (!model) {
        std::fprintf(stderr, "%s\n", model.error().text().c_str());
        return 3;
    }
    const auto faults = cutaway::ir::verify(*model);
    for (const std::string &fault : faults)
        std::fprintf(stderr, "%s\n", fault.c_str());
    return faults.empty() ? 0 : 1;
}
