// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/modules/modules.h"

#include "core/run/timing.h"
#include "views/appearance/theme.h"
#include "views/modules/module_model.h"
#include "views/parts/row_delegate.h"
#include "views/parts/table_copy.h"
#include "views/session/analysing.h"
#include "views/session/document.h"
#include "views/session/drawing.h"
#include "views/session/figures.h"
#include "views/session/navigation.h"
#include "views/session/session.h"
#include "views/session/subject_menu.h"

#include <QAction>
#include <QHeaderView>
#include <QMenu>
#include <QPainter>
#include <QSignalBlocker>
#include <QTreeView>
#include <ranges>

namespace cutaway::views {
namespace {

/// Draws the name, and the class after it in muted text if there is room.
class ModuleNameDelegate : public RowDelegate {
public:
    using RowDelegate::RowDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        RowDelegate::paint(painter, option, index);
        const QString name = index.data().toString();
        const int used = option.fontMetrics.horizontalAdvance(name) + 20;
        const QRect rest = option.rect.adjusted(used, 0, -4, 0);
        const QString text = index.data(ModuleModel::classRole).toString();
        const QString elided = option.fontMetrics.elidedText(text, Qt::ElideRight, std::max(rest.width(), 0));
        constexpr qsizetype leastToRead = 5; // characters with the dots; a shorter rest would look like a mistake
        if (elided != text && elided.size() < leastToRead)
            return;
        painter->setPen(mutedText(option.palette));
        painter->drawText(rest, Qt::AlignLeft | Qt::AlignVCenter, elided);
    }
};

class ModulesView : public QTreeView {
public:
    ModulesView(Session &session, QWidget *parent)
        : QTreeView(parent),
          m_analysing(session.analysing()),
          m_document(session.document()),
          m_drawing(session.drawing()),
          m_navigation(session.navigation())
    {
        setUniformRowHeights(true);
        setItemDelegateForColumn(ModuleModel::ModuleColumn, new ModuleNameDelegate(this));
        setAllColumnsShowFocus(true);
        setIndentation(14);
        setMinimumWidth(200);
        setTextElideMode(Qt::ElideMiddle);
        setAccessibleName(tr("Modules"));
        makeCopyable(*this, [this, &session](QMenu &menu, const QModelIndex &row) {
            if (m_model->isRoot(row))
                return;
            const layout::Subject box = m_model->subject(row);
            menu.addAction(m_navigation.expansion().isOpen(box) ? tr("Collapse") : tr("Expand"), this,
                           [this, box] { m_navigation.toggle(box); });
            addSubjectActions(menu, session, box);
        });
        for (const auto change : {&Document::functionChanged, &Document::stateChanged})
            connect(&session.document(), change, this, [this] { load(); });
        connect(&m_drawing, &Drawing::diagramChanged, this, [this] {
            if (m_outline != m_drawing.drawnOutline())
                takeOutline();
        });
        connect(&session.navigation(), &Navigation::selectionChanged, this, [this] { follow(); });
        connect(&session.analysing(), &Analysing::figuresChanged, this, [this] {
            m_model->setFigures(m_analysing.figures());
            followTimes();
            fitColumns();
        });
        for (const auto change : {&QTreeView::expanded, &QTreeView::collapsed})
            connect(this, change, this, [this] { fitColumns(); });
        header()->setContextMenuPolicy(Qt::ActionsContextMenu);
        connect(this, &QTreeView::doubleClicked, this, [this](const QModelIndex &i) {
            if (!m_model->isRoot(i))
                m_navigation.toggle(m_model->subject(i));
        });
        load();
        addColumnChoices();
    }

protected:
    void currentChanged(const QModelIndex &current, const QModelIndex &previous) override
    {
        QTreeView::currentChanged(current, previous);
        if (!m_following && current.isValid())
            choose(current);
    }

    void resizeEvent(QResizeEvent *event) override
    {
        QTreeView::resizeEvent(event);
        fitColumns();
    }

private:
    /// Takes the outline of the drawing over, which has the found parts once the graph is drawn. The rows are made anew
    /// only if there are found parts, or were before.
    void takeOutline()
    {
        const bool hadFound = m_outline && !m_outline->found.empty();
        m_outline = m_drawing.drawnOutline();
        if (hadFound || (m_outline && !m_outline->found.empty()))
            load();
    }

    void load()
    {
        const std::unique_ptr<ModuleModel> before(m_model);
        m_outline = m_drawing.drawnOutline();
        m_model = new ModuleModel(m_document, m_outline.get(), this);
        m_following = true;
        setModel(m_model);
        m_following = false;
        expandFirst();
        header()->setStretchLastSection(false);
        header()->setSectionResizeMode(ModuleModel::ModuleColumn, QHeaderView::Stretch);
        for (int column = ModuleModel::NodesColumn; column < ModuleModel::ColumnCount; ++column)
            header()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
        m_model->setFigures(m_analysing.figures());
        follow();
    }

    /// Adds a menu of the header to choose columns. Nodes and measured times are hidden at first, for room for names.
    void addColumnChoices()
    {
        for (int column = ModuleModel::NodesColumn; column < ModuleModel::ColumnCount; ++column) {
            auto *action = new QAction(m_model->headerData(column, Qt::Horizontal).toString(), header());
            action->setCheckable(true);
            action->setChecked(true);
            connect(action, &QAction::toggled, this, [this] { fitColumns(); });
            header()->addAction(action);
            m_choices.push_back(action);
        }
        choice(ModuleModel::NodesColumn)->setChecked(false);
        choice(ModuleModel::MeasuredColumn)->setChecked(false);
    }

    /// Shows the chosen columns, from the left, while the names keep enough room; expanded names need more.
    void fitColumns()
    {
        if (m_choices.empty())
            return;
        constexpr int leastOfNames = 130;
        const int most = std::max(viewport()->width() * 2 / 3, leastOfNames);
        int room = viewport()->width() - std::clamp(sizeHintForColumn(ModuleModel::ModuleColumn), leastOfNames, most);
        for (int column = ModuleModel::NodesColumn; column < ModuleModel::ColumnCount; ++column) {
            if (!choice(column)->isChecked()) {
                setColumnHidden(column, true);
                continue;
            }
            room -= std::max(sizeHintForColumn(column), header()->sectionSizeHint(column));
            setColumnHidden(column, room < 0);
        }
    }

    QAction *choice(int column) const { return m_choices[std::size_t(column - ModuleModel::NodesColumn)]; }

    /// Shows times in place of memory traffic once there are times, so that the names keep their room.
    void followTimes()
    {
        const auto timing = m_analysing.figures() ? m_analysing.figures()->times().timing() : nullptr;
        const bool hasTimes = timing && timing->sum();
        if (!m_analysing.figures() || std::exchange(m_hasTimes, hasTimes) == hasTimes)
            return;
        choice(ModuleModel::MeasuredColumn)->setChecked(hasTimes);
        choice(ModuleModel::BytesColumn)->setChecked(!hasTimes);
    }

    /// Expands the root, and further rows as long as each has only one below it.
    void expandFirst()
    {
        QModelIndex index = m_model->index(0, 0);
        expand(index);
        for (; m_model->rowCount(index) == 1; index = m_model->index(0, 0, index))
            expand(m_model->index(0, 0, index));
    }

    void choose(const QModelIndex &row)
    {
        if (m_model->isRoot(row))
            m_navigation.select({});
        else
            m_navigation.reveal(toSelection(m_model->subject(row)));
    }

    /// Makes the row of the session's selection the current one.
    void follow()
    {
        m_following = true;
        const QModelIndex index = rowOfSelection();
        if (index != currentIndex().siblingAtColumn(ModuleModel::ModuleColumn)) {
            setCurrentIndex(index);
            if (index.isValid())
                scrollTo(index);
        }
        m_following = false;
    }

    /// Returns the row of the selection, or of the innermost module or part around it.
    QModelIndex rowOfSelection() const
    {
        const Selection &selection = m_navigation.selection();
        if (selection == Selection{})
            return {};
        const ir::ScopeId scope = scopeOf(m_drawing.function(), selection);
        const auto box = subjectOf(m_drawing.function(), selection);
        if (box && m_outline && !m_outline->found.empty()) {
            if (const QModelIndex row = m_model->indexOf(*box); row.isValid())
                return row;
            for (const layout::Subject &around : m_drawing.enclosing(*box) | std::views::reverse)
                if (const auto *found = std::get_if<layout::FoundSubject>(&around); found && found->scope == scope)
                    return m_model->indexOf(around);
        }
        return m_model->indexOf(scope);
    }

    Analysing &m_analysing;
    Document &m_document;
    Drawing &m_drawing;
    Navigation &m_navigation;
    ModuleModel *m_model = nullptr;
    std::shared_ptr<const layout::Outline> m_outline; ///< the outline that the rows are made with
    std::vector<QAction *> m_choices;                 ///< by column, from NodesColumn on
    bool m_hasTimes = false;
    bool m_following = false; ///< whether the program is setting the current row, rather than the user
};

} // namespace

QWidget *makeModulesView(Session &session, QWidget *parent) { return new ModulesView(session, parent); }

} // namespace cutaway::views
