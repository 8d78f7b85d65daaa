// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/nodes_csv.h"

#include "core/base/formatted.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/print/csv.h"
#include "core/report/timing/roofline_report.h"

#include <array>

namespace cutaway::report {

namespace {

std::string csvFigure(const ir::Dim &dim) { return ops::isKnown(dim) ? ir::print(dim) : ""; }

} // namespace

std::string nodesCsv(const Material &material)
{
    std::string text = print::csvRow(
        std::array<std::string, 15>{"id", "name", "op", "category", "scope", "within", "result", "flops", "other_flops",
                                    "bytes_read", "bytes_written", "seconds", "bound", "intensity", "source"});
    for (const NodeRow &node : material.tables.nodes) {
        const auto &time = node.time;
        text += print::csvRow(std::array<std::string, 15>{
            std::to_string(node.id.index), node.name, node.op, std::string(ops::name(node.category)), node.scope,
            node.within ? std::to_string(node.within->index) : "", node.result, csvFigure(node.cost.flops),
            csvFigure(node.cost.otherFlops), csvFigure(node.cost.bytesRead), csvFigure(node.cost.bytesWritten),
            time ? formatted("{}", time->seconds) : "", time ? std::string(name(time->bound)) : "",
            time ? formatted("{}", time->intensity) : "", node.source});
    }
    return text;
}

} // namespace cutaway::report
