// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/inspector/inspector.h"

#include "views/inspector/pages.h"
#include "views/parts/property_sheet.h"
#include "views/session/session.h"

namespace cutaway::views {
namespace {

struct Fill {
    PropertySheet &sheet;
    Session &session;

    void operator()(std::monostate) const { fillNothing(sheet); }
    void operator()(ir::NodeId node) const { fillNode(sheet, session, node); }
    void operator()(const layout::ScopeSubject &module) const { fillModule(sheet, session, module); }
    void operator()(const layout::GroupSubject &group) const { fillGroup(sheet, session, group); }
    void operator()(ir::RegionId region) const { fillRegion(sheet, session, region); }
    void operator()(const layout::InputSubject &input) const { fillInput(sheet, session, input.value); }
    void operator()(const layout::OutputSubject &output) const { fillOutput(sheet, session, output); }
    void operator()(ir::ValueId value) const
    {
        const ir::Definition &definition = session.selectedFunction().graph.at(value).definition;
        if (const auto *weight = std::get_if<ir::Weight>(&definition))
            fillWeight(sheet, session, value, weight->tensor);
        else if (std::holds_alternative<ir::RegionInput>(definition))
            fillInput(sheet, session, value);
        else
            fillValue(sheet, session, value);
    }
};

} // namespace

QWidget *makeInspector(Session &session, QWidget *parent)
{
    auto *sheet = new PropertySheet(parent);
    const auto fill = [sheet, &session] {
        sheet->clear();
        std::visit(Fill{*sheet, session}, session.selection());
    };
    QObject::connect(&session, &Session::selectionChanged, sheet, fill);
    QObject::connect(&session, &Session::figuresChanged, sheet, [sheet, fill] { sheet->refill(fill); });
    fill();
    return sheet;
}

} // namespace cutaway::views
