// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/memory/memory.h"

#include "views/memory/alive_model.h"
#include "views/memory/timeline.h"
#include "views/parts/row_delegate.h"
#include "views/parts/table_copy.h"
#include "views/parts/when_seen.h"
#include "views/session/analysing.h"
#include "views/session/navigation.h"
#include "views/session/session.h"

#include <QHeaderView>
#include <QLabel>
#include <QSplitter>
#include <QTreeView>
#include <QVBoxLayout>

namespace cutaway::views {
namespace {

class MemoryView : public QWidget {
public:
    MemoryView(Session &session, QWidget *parent)
        : QWidget(parent),
          m_analysing(session.analysing()),
          m_navigation(session.navigation()),
          m_timeline(new Timeline(session, this)),
          m_alive(new AliveModel(this)),
          m_title(new QLabel(this)),
          m_content(new WhenSeen(this, [this] { fill(); }))
    {
        auto *split = new QSplitter(Qt::Horizontal, this);
        split->addWidget(m_timeline);
        split->addWidget(makeList());
        split->setStretchFactor(0, 1);
        split->setSizes({700, 460});
        split->setChildrenCollapsible(false);
        m_title->setContentsMargins(12, 6, 12, 6);
        m_title->setTextFormat(Qt::PlainText);
        m_title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
        auto *column = new QVBoxLayout(this);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(0);
        column->addWidget(m_title);
        column->addWidget(split, 1);
        connect(m_timeline, &Timeline::stepChosen, this, [this](std::size_t step) { choose(step); });
        connect(&session.analysing(), &Analysing::figuresChanged, m_content, &WhenSeen::refresh);
        connect(&session.navigation(), &Navigation::selectionChanged, this, [this] { follow(); });
    }

private:
    QWidget *makeList()
    {
        auto *list = new QTreeView(this);
        list->setModel(m_alive);
        list->setAccessibleName(tr("Live values"));
        list->setRootIsDecorated(false);
        list->setUniformRowHeights(true);
        list->setAllColumnsShowFocus(true);
        list->setItemDelegate(new RowDelegate(list));
        list->header()->setStretchLastSection(false);
        list->header()->setSectionResizeMode(AliveModel::ValueColumn, QHeaderView::Stretch);
        list->header()->resizeSection(AliveModel::TypeColumn, 210);
        list->header()->resizeSection(AliveModel::BytesColumn, 90);
        connect(list, &QTreeView::clicked, this,
                [this](const QModelIndex &index) { m_navigation.reveal(m_alive->value(index.row())); });
        makeCopyable(*list);
        return list;
    }

    void choose(std::size_t step)
    {
        showStep(step);
        if (const auto node = m_analysing.figures()->nodeAt(step))
            m_navigation.reveal(*node);
    }

    void fill()
    {
        m_timeline->fill();
        const Figures *figures = m_analysing.figures().get();
        const auto peak = figures ? figures->analysis().memory.peakStep : std::nullopt;
        showStep(peak ? peak : m_timeline->highest());
        follow();
    }

    void showStep(std::optional<std::size_t> step)
    {
        m_timeline->setStep(step);
        m_alive->show(m_analysing.figures(), step);
        m_title->setText(titleText(step));
        m_title->setToolTip(m_title->text());
    }

    QString titleText(std::optional<std::size_t> step) const
    {
        const Figures *figures = m_analysing.figures().get();
        if (!figures)
            return tr("Analysing…");
        const analysis::Memory &memory = figures->analysis().memory;
        QString peak = tr("Peak memory: %1").arg(figures->total(Measure::Memory).text());
        if (!step)
            return peak;
        const Quantity alive = figures->atExample({Quantity::Unit::Byte, memory.alive[*step]});
        return tr("%1   ·   step %2 of %3: %4, %5 live memory")
            .arg(peak)
            .arg(*step)
            .arg(memory.alive.size() - 1)
            .arg(stepText(*figures, *step), alive.text());
    }

    /// Shows the step at which the selected node runs.
    void follow()
    {
        const auto node = m_navigation.selectedNode();
        if (!node || !isVisible() || !m_analysing.figures())
            return;
        const auto step = m_analysing.figures()->stepOf(*node);
        if (step && step != m_timeline->step())
            showStep(step);
    }

    Analysing &m_analysing;
    Navigation &m_navigation;
    Timeline *m_timeline;
    AliveModel *m_alive;
    QLabel *m_title;
    WhenSeen *m_content;
};

} // namespace

QWidget *makeMemoryView(Session &session, QWidget *parent) { return new MemoryView(session, parent); }

} // namespace cutaway::views
