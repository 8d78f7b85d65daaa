// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/timing/sweep_report.h"

#include "core/base/formatted.h"
#include "core/base/text.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/print/csv.h"
#include "core/print/figures.h"
#include "core/print/text_table.h"

#include <array>

namespace cutaway::report {

namespace {

/// A figure of a point with its name in reports; times are handled separately.
struct Figure {
    const char *name;
    const ir::Dim &dim;
    const ir::Dim &atLeast;
};

std::array<Figure, 5> figuresOf(const analysis::SweepPoint &point)
{
    return {{{"flops", point.cost.flops, point.atLeast.flops},
             {"other_flops", point.cost.otherFlops, point.atLeast.otherFlops},
             {"bytes_read", point.cost.bytesRead, point.atLeast.bytesRead},
             {"bytes_written", point.cost.bytesWritten, point.atLeast.bytesWritten},
             {"peak_activation_bytes", point.peakBytes, point.peakAtLeast}}};
}

void writePoint(JsonWriter &out, const analysis::SweepPoint &point)
{
    out.beginObject();
    out.member("value", point.value);
    bool isKnown = true;
    for (const auto &[name, dim, atLeast] : figuresOf(point)) {
        const auto n = ops::number(dim);
        out.key(name);
        n ? out.value(*n) : out.null();
        isKnown = isKnown && ops::isKnown(dim);
    }
    if (!isKnown) {
        out.member("unknown_flops_nodes", point.costUnknown);
        out.key("at_least");
        out.beginObject();
        for (const auto &[name, dim, atLeast] : figuresOf(point))
            if (const auto n = ops::number(atLeast); n && !ops::isKnown(dim))
                out.member(name, *n);
        out.endObject();
    }
    out.key("seconds");
    point.seconds ? out.value(*point.seconds) : out.null();
    out.endObject();
}

void writeMembers(JsonWriter &out, const analysis::Sweep &sweep, const analysis::Device *device)
{
    out.member("symbol", sweep.symbol);
    out.key("device");
    device ? out.value(device->id) : out.null();
    out.key("unbound");
    out.beginArray();
    for (const std::string &symbol : unboundSymbols(sweep))
        out.value(symbol);
    out.endArray();
    out.key("points");
    out.beginArray();
    for (const analysis::SweepPoint &point : sweep.points)
        writePoint(out, point);
    out.endArray();
}

} // namespace

std::set<std::string> unboundSymbols(const analysis::Sweep &sweep)
{
    std::set<std::string> symbols;
    if (!sweep.points.empty())
        for (const auto &[name, dim, atLeast] : figuresOf(sweep.points.back()))
            if (const auto *expr = std::get_if<symbolic::Expr>(&dim))
                symbols.merge(symbolic::symbolsOf(*expr));
    return symbols;
}

std::string sweepJson(const ir::Model &model, const analysis::Sweep &sweep, const analysis::Device *device)
{
    JsonWriter out;
    out.beginObject();
    out.member("schema", "cutaway.sweep/1");
    out.member("path", model.path);
    writeMembers(out, sweep, device);
    out.endObject();
    return out.take();
}

void writeSweep(JsonWriter &out, const analysis::Sweep &sweep, const analysis::Device *device)
{
    out.beginObject();
    writeMembers(out, sweep, device);
    out.endObject();
}

std::string sweepCsv(const analysis::Sweep &sweep)
{
    std::string text = print::csvRow(std::array<std::string, 7>{sweep.symbol, "flops", "other_flops", "bytes_read",
                                                                "bytes_written", "peak_activation_bytes", "seconds"});
    for (const analysis::SweepPoint &point : sweep.points) {
        std::vector<std::string> row{std::to_string(point.value)};
        for (const auto &[name, dim, atLeast] : figuresOf(point)) {
            const auto n = ops::number(dim);
            row.push_back(n ? std::to_string(*n) : "");
        }
        row.push_back(point.seconds ? formatted("{}", *point.seconds) : "");
        text += print::csvRow(row);
    }
    return text;
}

std::string sweepText(const analysis::Sweep &sweep, const analysis::Device *device)
{
    constexpr auto right = print::TextTable::Column{.align = print::TextTable::Align::Right};
    print::TextTable table({right, right, right, right, right, right, right});
    table.addRow(
        {sanitized(sweep.symbol), "FLOPs", "other FLOPs", "read", "written", "peak memory", device ? "time" : ""});
    for (const analysis::SweepPoint &point : sweep.points)
        table.addRow({grouped(point.value), print::flopText(point.cost.flops, point.atLeast.flops),
                      print::flopText(point.cost.otherFlops, point.atLeast.otherFlops),
                      print::bytesText(point.cost.bytesRead, point.atLeast.bytesRead),
                      print::bytesText(point.cost.bytesWritten, point.atLeast.bytesWritten),
                      print::bytesText(point.peakBytes, point.peakAtLeast),
                      !device             ? ""
                          : point.seconds ? print::secondsText(*point.seconds)
                                          : "?"});
    return table.print(0) + (device ? "\nTime: at least, on " + sanitized(device->name) + "\n" : "");
}

} // namespace cutaway::report
