// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/inspector/links.h"

#include "views/inspector/operand_text.h"
#include "views/parts/property_sheet.h"
#include "views/parts/text.h"
#include "views/session/analysing.h"
#include "views/session/document.h"
#include "views/session/navigation.h"
#include "views/session/session.h"

namespace cutaway::views {
namespace {

constexpr std::size_t maxItems = 32; ///< the most items shown of a list
constexpr std::size_t maxUsers = 12;

const ir::List *listOfValues(const ir::Operand &operand)
{
    const auto *list = operand.as<ir::List>();
    bool any = false;
    if (list)
        ir::forEachValue(operand, [&](ir::ValueId) { any = true; });
    return any ? list : nullptr;
}

void userRow(PropertySheet &sheet, Session &session, const QString &name, const ir::Use &use)
{
    if (const auto *node = std::get_if<ir::NodeId>(&use)) {
        sheet.link(name, nodeTitle({session.navigation().selectedFunction().graph, *node}),
                   [&session, node = *node] { session.navigation().reveal(node); });
    } else {
        const ir::RegionId region = std::get<ir::RegionId>(use);
        const bool body = region == ir::Graph::body;
        sheet.row(name, body ? QObject::tr("function output") : QObject::tr("region output"));
    }
}

} // namespace

QString nodeTitle(const ir::NodeRef &node)
{
    const QString name = shown(node.name());
    return name.isEmpty() ? shown(node.opName()) : name;
}

void valueRow(PropertySheet &sheet, Session &session, const QString &name, ir::ValueId id)
{
    const ir::ValueRef value(session.navigation().selectedFunction().graph, id);
    const auto weight = value.weight();
    const QString called = shown(
        weight ? session.document().model().context->text(session.document().model().at(*weight).name) : value.name());
    sheet.link(
        name, called, [&session, id] { session.navigation().reveal(id); },
        called + '\n' + session.analysing().typeText(id), session.analysing().typeText(id));
}

void argumentRows(PropertySheet &sheet, Session &session, const QString &name, const ir::Operand &operand)
{
    if (const auto *value = operand.as<ir::ValueId>())
        return valueRow(sheet, session, name, *value);
    const ir::List *list = listOfValues(operand);
    if (!list) {
        const QString text = operandText(session.document().model(), session.navigation().selectedFunction(), operand);
        return sheet.row(name, text, PropertySheet::Look::Monospace);
    }
    for (std::size_t i = 0; i < list->items.size(); ++i) {
        if (i == maxItems)
            return sheet.row({}, QObject::tr("… %1 more").arg(list->items.size() - maxItems));
        argumentRows(sheet, session, i == 0 ? name : QString(), list->items[i]);
    }
}

void userRows(PropertySheet &sheet, Session &session, const ir::ValueRef &value)
{
    const auto &uses = value->uses;
    for (std::size_t i = 0; i < uses.size(); ++i) {
        if (i == maxUsers)
            return sheet.row({}, QObject::tr("… %1 more").arg(uses.size() - maxUsers));
        userRow(sheet, session, i == 0 ? QObject::tr("used by") : QString(), uses[i]);
    }
    if (uses.empty())
        sheet.row(QObject::tr("used by"), QObject::tr("none"));
}

void moduleRow(PropertySheet &sheet, Session &session, ir::ScopeId scope, ir::RegionId region)
{
    if (scope == ir::ScopeId{})
        return;
    const ir::Scope &s = session.document().model().context->at(scope);
    const layout::ScopeSubject subject{scope, region};
    sheet.link(
        QObject::tr("module"), shown(session.document().model().context->text(s.path)),
        [&session, subject] { session.navigation().reveal(subject); }, {},
        shortClass(session.document().model().context->text(s.className)));
}

} // namespace cutaway::views
