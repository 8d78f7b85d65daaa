// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/known_devices.h"
#include "core/report/traces/trace_report.h"
#include "core/trace/named_device.h"
#include "core/trace/run_sizes.h"

namespace cutaway::report {

Result<TraceReport> measuredReport(TraceReport report, const sequence::FoundStep *step,
                                   const std::optional<analysis::Device> &device)
{
    report.linked = trace::link(report.trace, report.model, report.analysis, step);
    report.summary = trace::summaryOf(report.trace, report.linked, report.graph());
    report.memory = trace::memoryUse(report.trace, report.linked);
    std::optional<analysis::Device> place = device;
    if (!place && !report.trace.devices.empty()) {
        CUTAWAY_TRY(const auto known, analysis::knownDevices());
        if (const analysis::Device *const named = trace::deviceNamed(known, report.trace.devices.front()))
            place = *named;
    }
    if (place) {
        report.estimate = analysis::roofline(report.model, report.analysis, *place, 0);
        report.device = place->name;
    }
    return report;
}

analysis::Analysis analysedAsRun(const ir::Model &model, ir::FunctionId function, analysis::Given given,
                                 const trace::Trace &trace, const sequence::FoundStep *step)
{
    auto analysis = analysis::analyse(model, function, given);
    if (model.symbols.empty())
        return analysis;
    for (const auto &[symbol, size] :
         trace::runSizes(trace, trace::link(trace, model, analysis, step), model, analysis))
        given.bindings.emplace(symbol, size);
    return given.bindings == analysis.given.bindings ? analysis : analysis::analyse(model, function, std::move(given));
}

} // namespace cutaway::report
