// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/node_table/node_table.h"

#include "core/ops/category.h"
#include "core/run/timing.h"
#include "views/appearance/theme.h"
#include "views/node_table/node_model.h"
#include "views/node_table/table_text.h"
#include "views/parts/query_line.h"
#include "views/parts/row_delegate.h"
#include "views/parts/text.h"
#include "views/parts/when_seen.h"
#include "views/session/analysing.h"
#include "views/session/annotations/annotating.h"
#include "views/session/document.h"
#include "views/session/navigation.h"
#include "views/session/search/query_words.h"
#include "views/session/searching.h"
#include "views/session/session.h"

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QShortcut>
#include <QTimer>
#include <QToolButton>
#include <QTreeView>

namespace cutaway::views {
namespace {

constexpr int nodeColumnWidths[NodeModel::ColumnCount] = {150, 165, 130, 105, 105, 105, 120, 70, 90, 206, 134, 100};

constexpr int dataColumnWidth = 140;
constexpr int filterPauseMs = 120;

/// Draws a node's name after a dot of its category's colour.
class NodeNameDelegate : public RowDelegate {
public:
    using RowDelegate::RowDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const QVariant category = index.data(NodeModel::categoryRole);
        if (!category.isValid())
            return RowDelegate::paint(painter, option, index);
        QStyleOptionViewItem moved = option;
        moved.rect.adjust(8, 0, 0, 0);
        RowDelegate::paint(painter, moved, index);
        const auto color = diagramPalette(option.palette).category(static_cast<ops::Category>(category.toInt()));
        painter->fillRect(QRect(option.rect.left(), option.rect.top() + 5, 4, option.rect.height() - 10),
                          toColor(color));
    }
};

class NodeTable : public QWidget {
public:
    NodeTable(Session &session, QWidget *parent)
        : QWidget(parent),
          m_analysing(session.analysing()),
          m_annotating(session.annotating()),
          m_navigation(session.navigation()),
          m_searching(session.searching()),
          m_model(new NodeModel(this)),
          m_list(new QTreeView(this)),
          m_endElided(new EndElidedDelegate(m_list)),
          m_filter(new QueryLine(this)),
          m_count(new QLabel(this)),
          m_note(new QLabel(this)),
          m_content(new WhenSeen(this, [this] { fill(); }))
    {
        auto *column = new QVBoxLayout(this);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(0);
        m_filter->setWords([&session](const QString &property) { return queryWords(session, property); });
        column->addLayout(makeTools());
        column->addWidget(m_note);
        column->addWidget(m_list, 1);
        makeList();
        connect(&session.analysing(), &Analysing::figuresChanged, m_content, &WhenSeen::refresh);
        connect(&session.annotating(), &Annotating::changed, m_content, &WhenSeen::refresh);
        connect(&m_searching, &Searching::knownChanged, this, [this] {
            if (isVisible() && !m_filter->text().isEmpty())
                filter();
        });
        connect(&session.navigation(), &Navigation::selectionChanged, this, [this] { follow(); });
    }

private:
    QLayout *makeTools()
    {
        m_filter->setPlaceholderText(tr("Filter by name, operator, module, or flops>1G, category:matrix*"));
        m_filter->setMaximumWidth(440);
        m_filter->setAccessibleName(tr("Filter"));
        m_note->setTextFormat(Qt::PlainText);
        m_note->setWordWrap(true);
        m_note->setContentsMargins(12, 0, 12, 6);
        m_note->hide();
        m_pause.setSingleShot(true);
        m_pause.setInterval(filterPauseMs);
        connect(m_filter, &QLineEdit::textChanged, &m_pause, qOverload<>(&QTimer::start));
        connect(&m_pause, &QTimer::timeout, this, [this] { filter(); });
        auto *grouping = new QComboBox(this);
        grouping->setAccessibleName(tr("Grouping"));
        grouping->addItems({tr("Not grouped"), tr("By module"), tr("By operator")});
        connect(grouping, &QComboBox::currentIndexChanged, this, [this](int i) {
            m_model->setGrouping(static_cast<NodeModel::Grouping>(i));
            m_list->setRootIsDecorated(i > 0);
            rowsChanged();
        });
        m_count->setForegroundRole(QPalette::PlaceholderText);
        auto *row = new QHBoxLayout;
        row->setContentsMargins(8, 6, 8, 6);
        row->setSpacing(8);
        row->addWidget(m_filter, 1);
        row->addWidget(grouping);
        row->addWidget(m_count);
        row->addStretch();
        row->addWidget(makeCopyButton());
        setFocusProxy(m_filter);
        return row;
    }

    QWidget *makeCopyButton()
    {
        auto *button = new QToolButton(this);
        button->setText(tr("Copy ▾"));
        button->setToolTip(tr("Copy the selected rows, or all of them"));
        button->setPopupMode(QToolButton::InstantPopup);
        auto *menu = new QMenu(tr("Copy"), button);
        const auto copyTabs = [this] { copyTable(*m_list); };
        menu->addAction(tr("With tabs, for a spreadsheet"), this, copyTabs);
        menu->addAction(tr("As CSV"), this, [this] { copy(csvText(chosenRows())); });
        menu->addAction(tr("As Markdown"), this, [this] { copy(markdownText(chosenRows())); });
        button->setMenu(menu);
        m_list->setContextMenuPolicy(Qt::CustomContextMenu);
        connect(m_list, &QWidget::customContextMenuRequested, menu,
                [this, menu](QPoint at) { menu->popup(m_list->viewport()->mapToGlobal(at)); });
        auto *keys = new QShortcut(QKeySequence::Copy, m_list);
        keys->setContext(Qt::WidgetShortcut);
        connect(keys, &QShortcut::activated, this, copyTabs);
        return button;
    }

    static void copy(const QString &text) { QGuiApplication::clipboard()->setText(text); }

    void makeList()
    {
        m_list->setModel(m_model);
        m_list->setRootIsDecorated(false);
        m_list->setUniformRowHeights(true);
        m_list->setAllColumnsShowFocus(true);
        m_list->setSelectionMode(QAbstractItemView::ExtendedSelection);
        m_list->setTextElideMode(Qt::ElideMiddle);
        m_list->setItemDelegate(new RowDelegate(m_list));
        m_list->setItemDelegateForColumn(NodeModel::NameColumn, new NodeNameDelegate(m_list));
        for (int column = NodeModel::FlopsColumn; column <= NodeModel::ShapeColumn; ++column)
            m_list->setItemDelegateForColumn(column, m_endElided);
        m_list->setIndentation(16);
        m_list->setAccessibleName(tr("Nodes"));
        m_list->header()->setStretchLastSection(false);
        m_list->header()->setSortIndicatorClearable(true);
        m_list->header()->setSortIndicator(-1, Qt::DescendingOrder);
        m_list->setSortingEnabled(true);
        for (int column = 0; column < NodeModel::ColumnCount; ++column)
            m_list->header()->resizeSection(column, nodeColumnWidths[column]);
        connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex &index) {
            const auto node = m_model->node(index);
            if (!m_following && node)
                m_navigation.reveal(*node);
        });
    }

    QModelIndexList chosenRows() const
    {
        QModelIndexList rows = m_list->selectionModel()->selectedRows();
        if (rows.size() > 1) {
            std::ranges::sort(rows, {}, [](const QModelIndex &i) { return std::pair(i.parent().row(), i.row()); });
            return rows;
        }
        rows.clear();
        for (int row = 0; row < m_model->rowCount(); ++row)
            rows << m_model->index(row, 0);
        return rows;
    }

    void fill()
    {
        if (m_annotating.data() != m_data) {
            m_data = m_annotating.data();
            m_model->setNodeData(m_data);
            for (int column = NodeModel::ColumnCount; column < m_model->columnCount(); ++column) {
                m_list->setItemDelegateForColumn(column, m_endElided);
                QHeaderView &header = *m_list->header();
                header.resizeSection(column, dataColumnWidth);
                // A new column is placed beside the other figures.
                if (header.visualIndex(column) > header.visualIndex(NodeModel::ShapeColumn))
                    header.moveSection(header.visualIndex(column), header.visualIndex(NodeModel::ShapeColumn));
            }
        }
        m_model->setFigures(m_analysing.figures(), shownNodes().value_or(NodeModel::Shown()));
        const auto timing = m_analysing.figures() ? m_analysing.figures()->times().timing() : nullptr;
        const bool isProfiled = timing && timing->sum();
        for (int column = 0; column < NodeModel::ColumnCount; ++column)
            m_list->setColumnHidden(column, isOfProfile(column) && !isProfiled);
        rowsChanged();
    }

    void filter()
    {
        if (auto shown = shownNodes()) {
            m_model->setShown(*std::move(shown));
            rowsChanged();
        }
    }

    /// Returns the nodes that the filter leaves. Returns nothing if the text is not a query, or while the answer is
    /// being computed; the caller then leaves the rows as they are.
    std::optional<NodeModel::Shown> shownNodes()
    {
        m_filter->unmark();
        tell({}, false);
        if (m_filter->text().trimmed().isEmpty() || !m_analysing.figures())
            return NodeModel::Shown();
        const auto query = parseQuery(m_filter->text());
        if (!query) {
            m_filter->mark(query.error().at, query.error().length);
            tell(sentence(query.error().message), true);
            return {};
        }
        const auto answer = m_searching.answerTo(*query);
        if (!answer)
            return {};
        tell(Searching::noteOf(*answer), false);
        std::vector<bool> isShown(m_analysing.figures()->function().graph.nodeCount());
        for (const ir::NodeId node : answer->nodes)
            isShown[node.index] = true;
        return NodeModel::Shown(std::move(isShown));
    }

    void tell(const QString &note, bool isMistake)
    {
        m_note->setText(note);
        m_note->setVisible(!note.isEmpty());
        QPalette colours = palette();
        colours.setColor(QPalette::WindowText, isMistake ? errorColor(colours) : mutedText(colours));
        m_note->setPalette(colours);
    }

    void rowsChanged()
    {
        const QString nodes = counted(static_cast<long long>(m_model->nodeCount()), "node", "nodes");
        m_count->setText(m_analysing.figures() ? nodes : tr("Analysing…"));
        follow();
    }

    /// Shows the node that is selected in the session.
    void follow()
    {
        if (!isVisible())
            return;
        const auto node = m_navigation.selectedNode();
        const QModelIndex index = node ? m_model->indexOf(*node) : QModelIndex();
        if (m_list->currentIndex().siblingAtColumn(0) == index && index.isValid())
            return;
        m_following = true;
        m_list->setCurrentIndex(index);
        if (index.isValid())
            m_list->scrollTo(index);
        else
            m_list->clearSelection();
        m_following = false;
    }

    Analysing &m_analysing;
    const Annotating &m_annotating;
    Navigation &m_navigation;
    Searching &m_searching;
    NodeModel *m_model;
    QTreeView *m_list;
    EndElidedDelegate *m_endElided; ///< elides texts at the end, for columns whose beginning matters most
    QueryLine *m_filter;
    QLabel *m_count;
    QLabel *m_note;
    WhenSeen *m_content;
    std::shared_ptr<const node_data::NodeData> m_data; ///< the data that the table shows
    QTimer m_pause;           ///< waits for the end of typing: a large graph is not filtered letter by letter
    bool m_following = false; ///< whether the program is setting the current row, rather than the user
};

} // namespace

QWidget *makeNodeTable(Session &session, QWidget *parent) { return new NodeTable(session, parent); }

} // namespace cutaway::views
