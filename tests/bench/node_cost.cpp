// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Prints the memory of a model: "NODES BYTES COPY": its nodes, the heap that they take with all names, types and
// weights' descriptions, and the heap of a copy of the model in which one node was changed.
#include "core/formats/format.h"

#include <cstdio>
#include <malloc.h>

namespace ir = cutaway::ir;

namespace {

std::size_t heapBytes()
{
    const auto info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

} // namespace

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    const std::size_t before = heapBytes();
    const auto model = cutaway::formats::open(argv[1]);
    if (!model || model->functions.empty())
        return 3;
    const std::size_t opened = heapBytes();
    ir::Graph copy = model->functions.front().graph;
    copy.setScope(ir::NodeId{0}, ir::ScopeId{0});
    std::printf("%u %zu %zu\n", copy.nodeCount(), opened - before, heapBytes() - opened);
    return 0;
}
