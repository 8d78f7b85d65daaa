// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/graph.h"

#include "views/graph/breadcrumb.h"
#include "views/graph/canvas.h"
#include "views/graph/overlays/heat_legend.h"
#include "views/graph/overlays/overlays.h"
#include "views/parts/text.h"
#include "views/session/drawing.h"
#include "views/session/navigation.h"
#include "views/session/session.h"
#include "views/session/stepping.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>

namespace cutaway::views {
namespace {

QLabel *zoomLabel(Canvas &canvas, QWidget *parent)
{
    auto *label = new QLabel(parent);
    label->setForegroundRole(QPalette::PlaceholderText);
    label->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    constexpr int margin = 12;
    label->setMinimumWidth(label->fontMetrics().horizontalAdvance("400 %") + margin);
    label->setContentsMargins(0, 0, margin, 0);
    QObject::connect(&canvas.sight(), &Sight::changed, label, [label, &canvas] {
        label->setText(QStringLiteral("%1 %").arg(qRound(canvas.viewport().zoom * 100)));
    });
    return label;
}

/// Returns the notes of the diagram on hidden nodes and on simplifications of the layout.
QStringList notesOf(const Session &session)
{
    QStringList notes;
    if (const auto diagram = session.drawing().diagram())
        for (const std::string &note : diagram->notes)
            notes << shown(note);
    return notes;
}

/// Makes the label that shows these notes; it is hidden while there are none.
QLabel *notesLabel(Session &session, QWidget *parent)
{
    auto *label = new QLabel(parent);
    label->setObjectName("notes");
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setForegroundRole(QPalette::PlaceholderText);
    label->setContentsMargins(12, 4, 12, 4);
    label->hide();
    const auto show = [label, &session] {
        const QStringList notes = notesOf(session);
        label->setText(notes.size() > 3 ? QStringList(notes.first(3)).join("; ") + "; …" : notes.join("; "));
        label->setToolTip(notes.size() > 3 ? toolTipText(notes.join('\n')) : QString());
        label->setVisible(!notes.isEmpty());
    };
    QObject::connect(&session.drawing(), &Drawing::diagramChanged, label, show);
    return label;
}

/// Shows two states beside each other, with common nodes at the same positions.
class Panes : public QSplitter {
public:
    Panes(Session &session, QWidget *parent)
        : QSplitter(parent),
          m_session(session),
          m_first(new Canvas(session, this)),
          m_second(new Canvas(session, this))
    {
        setChildrenCollapsible(false);
        m_second->setSide(Side::After);
        m_second->follow(*m_first);
        for (const auto change : {&Stepping::viewChanged, &Stepping::positionChanged})
            connect(&session.stepping(), change, this, [this] { follow(); });
        follow();
    }

    Canvas &first() const { return *m_first; }

private:
    void follow()
    {
        const Stepping &stepping = m_session.stepping();
        const bool two = stepping.display().view() == StepDisplay::View::SideBySide && stepping.position() > 0;
        m_first->setSide(two ? std::optional(Side::Before) : std::nullopt);
        m_second->setVisible(two);
    }

    Session &m_session;
    Canvas *m_first;
    Canvas *m_second;
};

} // namespace

QWidget *makeGraphView(Session &session, QWidget *parent)
{
    auto *view = new QWidget(parent);
    auto *panes = new Panes(session, view);
    Canvas *canvas = &panes->first();
    addOverlays(*canvas, session.navigation());
    auto *top = new QHBoxLayout;
    top->addWidget(makeBreadcrumb(session, view), 1);
    top->addWidget(makeHeatLegend(*canvas, view));
    top->addWidget(zoomLabel(*canvas, view));
    auto *column = new QVBoxLayout(view);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(top);
    column->addWidget(panes, 1);
    column->addWidget(notesLabel(session, view));
    view->setFocusProxy(canvas);
    return view;
}

Canvas &shownCanvas(const QWidget &graphView)
{
    const QList<Canvas *> all = graphView.findChildren<Canvas *>();
    const auto focused = std::ranges::find_if(all, [](const Canvas *canvas) { return canvas->hasFocus(); });
    return focused == all.end() ? **std::ranges::find_if(all, [](const Canvas *c) { return !c->isFollowing(); })
                                : **focused;
}

} // namespace cutaway::views
