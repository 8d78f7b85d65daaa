// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/session/subject_menu.h"

#include "core/ir/dtype.h"
#include "views/session/analysing.h"
#include "views/session/document.h"
#include "views/session/navigation.h"
#include "views/session/requests.h"
#include "views/session/selection.h"
#include "views/session/session.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>
#include <QObject>
#include <algorithm>

namespace cutaway::views {
namespace {

/// Returns the shape of a node's first result: "[1, 64, 112, 112]"; "" if that is no tensor of known rank.
QString firstShape(const Session &session, const ir::NodeRef &node)
{
    if (node->outputs.empty())
        return {};
    const QString type = session.analysing().typeText(node->outputs.front());
    const qsizetype at = std::max<qsizetype>(type.indexOf('['), 0);
    const std::string dtype = type.first(at).trimmed().toStdString(); // "List" of a list
    return ir::dtypeFromName(dtype) ? type.sliced(at) : QString();
}

} // namespace

void addSubjectActions(QMenu &menu, Session &session, const layout::Subject &subject)
{
    Navigation &navigation = session.navigation();
    const Selection selection = toSelection(subject);
    const auto show = [&](const QString &text, Requests::Beside view) {
        menu.addAction(text, &navigation, [&session, &navigation, selection, view] {
            navigation.select(selection);
            session.requests().view(view);
        });
    };
    show(QObject::tr("Show source"), Requests::Beside::Source);
    show(QObject::tr("Show in Nodes"), Requests::Beside::Nodes);
    const auto *id = std::get_if<ir::NodeId>(&subject);
    if (id && isThere(session.document().function(), *id)) {
        const ir::NodeRef node(session.document().function().graph, *id);
        if (const auto weight = largestWeight(session.document().model(), node))
            menu.addAction(QObject::tr("Show weights"), &navigation,
                           [&session, weight = *weight] { session.requests().tensor(weight); });
        if (const QString shape = firstShape(session, node); !shape.isEmpty())
            menu.addAction(QObject::tr("Copy shape"), &navigation,
                           [shape] { QGuiApplication::clipboard()->setText(shape); });
    }
    if (id || std::holds_alternative<layout::ScopeSubject>(subject)
        || std::holds_alternative<layout::FoundSubject>(subject))
        menu.addAction(QObject::tr("Extract as model…"), &navigation, [&session, &navigation, selection] {
            navigation.select(selection);
            session.requests().extraction();
        });
}

} // namespace cutaway::views
