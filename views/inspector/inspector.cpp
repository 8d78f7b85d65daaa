// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/inspector/inspector.h"

#include "views/inspector/history_section.h"
#include "views/inspector/pages.h"
#include "views/parts/property_sheet.h"
#include "views/session/analysing.h"
#include "views/session/annotations/annotating.h"
#include "views/session/bookmarks.h"
#include "views/session/comparing.h"
#include "views/session/navigation.h"
#include "views/session/session.h"
#include "views/session/stepping.h"

#include <QPointer>
#include <memory>

namespace cutaway::views {
namespace {

struct Fill {
    PropertySheet &sheet;
    Session &session;
    const ir::Graph &graph;

    void operator()(std::monostate) const { fillNothing(sheet); }
    void operator()(ir::NodeId node) const { fillNode(sheet, session, {graph, node}); }
    void operator()(const layout::ScopeSubject &module) const { fillModule(sheet, session, module); }
    void operator()(const layout::GroupSubject &group) const { fillGroup(sheet, session, group); }
    void operator()(const layout::FoundSubject &part) const { fillFound(sheet, session, part); }
    void operator()(const layout::PlumbingSubject &part) const { fillPlumbing(sheet, session, part); }
    void operator()(ir::RegionId region) const { fillRegion(sheet, session, region); }
    void operator()(const layout::InputSubject &input) const { fillInput(sheet, session, {graph, input.value}); }
    void operator()(const layout::OutputSubject &output) const { fillOutput(sheet, session, output); }
    void operator()(ir::ValueId id) const
    {
        const ir::ValueRef value(graph, id);
        if (const auto weight = value.weight())
            fillWeight(sheet, session, value, *weight);
        else if (std::holds_alternative<ir::RegionInput>(value->definition))
            fillInput(sheet, session, value);
        else
            fillValue(sheet, session, value);
    }
};

bool isEmpty(const Session &session)
{
    return std::holds_alternative<std::monostate>(session.navigation().selection());
}

/// Returns the session to inspect: that of the compared model if only that has a selection, else `session`.
Session &inspected(Session &session)
{
    Session *other = session.comparing().other();
    return other && isEmpty(session) && !isEmpty(*other) ? *other : session;
}

/// Whether the page of a selection begins with the user's note; other pages end with it.
bool beginsWithNote(const Selection &selection)
{
    return std::holds_alternative<ir::NodeId>(selection) || std::holds_alternative<layout::ScopeSubject>(selection);
}

} // namespace

void fillNote(PropertySheet &sheet, Session &session)
{
    const auto subject = session.bookmarks().selected();
    const Bookmark *bookmark = subject ? session.bookmarks().of(*subject) : nullptr;
    if (!bookmark)
        return;
    sheet.section(bookmark->note.isEmpty() ? QObject::tr("Bookmark") : QObject::tr("Note"));
    if (!bookmark->note.isEmpty())
        sheet.paragraph(bookmark->note);
    sheet.button(bookmark->note.isEmpty() ? QObject::tr("Add note…") : QObject::tr("Edit note…"),
                 [&session, subject = *subject] { session.bookmarks().requestNote(subject); });
}

QWidget *makeInspector(Session &session, QWidget *parent)
{
    auto *sheet = new PropertySheet(parent);
    auto *history = new HistorySection(session, sheet);
    const auto otherHistory = std::make_shared<QPointer<HistorySection>>(); // guarded: the section may be destroyed
                                                                            // with the other session
    const auto fill = [sheet, &session, history, otherHistory] {
        sheet->clear();
        Session &of = inspected(session);
        std::visit(Fill{*sheet, of, of.navigation().selectedFunction().graph}, of.navigation().selection());
        if (HistorySection *section = &of == &session ? history : otherHistory->data())
            section->fill(*sheet);
        if (!beginsWithNote(of.navigation().selection()))
            fillNote(*sheet, of);
    };
    const auto refill = [sheet, fill] { sheet->refill(fill); };
    const auto listenTo = [sheet, fill, refill](Session &to) {
        QObject::connect(&to.navigation(), &Navigation::selectionChanged, sheet, fill);
        QObject::connect(&to.analysing(), &Analysing::figuresChanged, sheet, refill);
        QObject::connect(&to.annotating(), &Annotating::changed, sheet, refill);
        QObject::connect(&to.bookmarks(), &Bookmarks::changed, sheet, refill);
    };
    listenTo(session);
    QObject::connect(history, &HistorySection::changed, sheet, refill);
    QObject::connect(&session.comparing(), &Comparing::differenceChanged, sheet, refill);
    QObject::connect(&session.comparing(), &Comparing::otherChanged, sheet, [=, &session] {
        if (Session *other = session.comparing().other()) {
            listenTo(*other);
            *otherHistory = new HistorySection(*other, &other->navigation());
            QObject::connect(*otherHistory, &HistorySection::changed, sheet, refill);
        }
        fill();
    });
    fill();
    return sheet;
}

} // namespace cutaway::views
