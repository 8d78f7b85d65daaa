// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/run/trace_memory.h"

#include "core/report/traces/trace_report.h"
#include "views/parts/property_sheet.h"
#include "views/parts/quantity.h"
#include "views/parts/text.h"
#include "views/session/document.h"
#include "views/session/navigation.h"
#include "views/session/running.h"
#include "views/session/running/opened_trace.h"
#include "views/session/session.h"

#include <algorithm>
#include <ranges>

namespace cutaway::views {
namespace {

constexpr std::size_t mostTensors = 8;

void addTensor(PropertySheet &sheet, Session &session, const OpenedTrace &opened, const trace::Allocation &tensor)
{
    const ir::Function &function = session.document().function();
    const QString bytes = numberText(Quantity::Unit::Byte, double(tensor.bytes));
    const auto &nodes = tensor.row ? opened.linked.rows[*tensor.row].link.nodes : std::vector<ir::NodeId>();
    if (!std::ranges::all_of(nodes, [&](ir::NodeId node) { return isThere(function, node); }))
        return sheet.row(bytes, QObject::tr("of a removed node"));
    const QString owner = shown(report::ownerText(opened.trace, opened.linked, function.graph, tensor));
    if (nodes.empty())
        return sheet.row(bytes, owner.isEmpty() ? QObject::tr("allocated between operators") : owner);
    sheet.link(bytes, owner, [&session, id = nodes.front()] { session.navigation().reveal(id); });
}

} // namespace

void fillTraceMemory(PropertySheet &sheet, Session &session)
{
    const auto opened = session.running().trace();
    if (!opened)
        return;
    for (const trace::MemoryUse &use : opened->memory) {
        sheet.section(QObject::tr("Memory on %1").arg(shown(opened->trace.texts.at(use.device))));
        sheet.row(QObject::tr("at the peak"), numberText(Quantity::Unit::Byte, double(use.peakBytes())),
                  PropertySheet::Look::Number,
                  QObject::tr("allocated by the run and not yet freed; allocations from before the trace are not "
                              "included"));
        if (use.warmUpPeak > use.peakBytes())
            sheet.row(QObject::tr("in the warm-up"), numberText(Quantity::Unit::Byte, double(use.warmUpPeak)),
                      PropertySheet::Look::Number);
        for (const trace::Allocation &tensor : use.liveAtPeak | std::views::take(mostTensors))
            addTensor(sheet, session, *opened, tensor);
        if (use.liveAtPeak.size() > mostTensors)
            sheet.muted(QObject::tr("and %1 more").arg(use.liveAtPeak.size() - mostTensors));
    }
}

} // namespace cutaway::views
