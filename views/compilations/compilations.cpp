// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/compilations/compilations.h"

#include "core/report/sequences/headings.h"
#include "views/appearance/fonts.h"
#include "views/appearance/theme.h"
#include "views/compilations/compilation_detail.h"
#include "views/compilations/compilation_model.h"
#include "views/compilations/side_by_side.h"
#include "views/parts/clear_button.h"
#include "views/parts/row_delegate.h"
#include "views/parts/table_copy.h"
#include "views/parts/text.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QShortcut>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QTreeView>
#include <algorithm>

namespace cutaway::views {
namespace {

constexpr int columnWidths[CompilationModel::ColumnCount] = {80, 60, 90, 300, 190, 100, 70, 80, 80, 400};

class CompilationsPage : public QWidget {
public:
    CompilationsPage(const QString &name, std::shared_ptr<const sequence::Document> document,
                     CompilationActions actions, QWidget *parent)
        : QWidget(parent),
          m_name(name),
          m_document(std::move(document)),
          m_actions(std::move(actions)),
          m_model(new CompilationModel(m_document, this)),
          m_shown(new QSortFilterProxyModel(this)),
          m_list(new QTreeView(this)),
          m_filter(new QLineEdit(this)),
          m_count(new QLabel(this)),
          m_compare(new QPushButton(this)),
          m_step(new QPushButton(tr("Step through"), this)),
          m_detail(new CompilationDetail(m_document, m_actions.openStep, this))
    {
        auto *parts = new QSplitter(Qt::Vertical, this);
        parts->setChildrenCollapsible(false);
        parts->addWidget(m_list);
        parts->addWidget(m_detail);
        parts->setSizes(heights());
        auto *column = new QVBoxLayout(this);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(0);
        column->addLayout(makeTitle(name));
        column->addLayout(makeTools());
        column->addWidget(makeNote());
        column->addWidget(parts, 1);
        makeList();
        setFocusProxy(m_list);
        selectFirst();
    }

private:
    /// Returns the heights of the list and the detail; a short list leaves its room to the detail.
    QList<int> heights() const
    {
        constexpr int whole = 800, row = 24, around = 64, least = 160, most = 400;
        const int list = std::clamp(m_model->rowCount() * row + around, least, most);
        return {list, whole - list};
    }

    QLayout *makeTitle(const QString &name)
    {
        auto *title = new QLabel(name, this);
        title->setFont(titleFont(1.15));
        title->setTextFormat(Qt::PlainText);
        m_count->setForegroundRole(QPalette::PlaceholderText);
        auto *row = new QHBoxLayout;
        row->setContentsMargins(12, 10, 12, 2);
        row->setSpacing(12);
        row->addWidget(title);
        row->addWidget(m_count, 1);
        return row;
    }

    QLayout *makeTools()
    {
        m_filter->setPlaceholderText(tr("Filter by id, function, file, status or reason"));
        m_filter->setAccessibleName(tr("Filter"));
        m_filter->setMaximumWidth(520);
        addClearButton(*m_filter);
        connect(m_filter, &QLineEdit::textChanged, this, [this](const QString &text) {
            m_shown->setFilterFixedString(text);
            tellCount();
            if (!m_list->currentIndex().isValid())
                selectFirst();
        });
        m_step->setObjectName("step-through");
        m_step->setToolTip(tr("Show the graphs of this compilation one after the other (Enter)"));
        connect(m_step, &QPushButton::clicked, this, [this] { stepThrough(m_list->currentIndex()); });
        m_compare->setObjectName("compare-with");
        connect(m_compare, &QPushButton::clicked, this, [this] { compare(); });
        auto *row = new QHBoxLayout;
        row->setContentsMargins(8, 6, 8, 6);
        row->setSpacing(8);
        row->addWidget(m_filter, 1);
        row->addStretch();
        row->addWidget(m_compare);
        row->addWidget(m_step);
        return row;
    }

    /// Returns the indices of the two selected sequences, the smaller first; nothing unless exactly two are selected.
    std::optional<std::pair<std::size_t, std::size_t>> selectedPair() const
    {
        const QModelIndexList rows = m_list->selectionModel()->selectedRows();
        if (rows.size() != 2)
            return std::nullopt;
        // minmax() of a list returns values; that of two temporaries would return dangling references.
        return std::minmax({*sequenceAt(rows[0]), *sequenceAt(rows[1])});
    }

    void followSelection()
    {
        const bool isPair = selectedPair().has_value();
        m_compare->setVisible(isPair || m_actions.chooseOther);
        m_compare->setText(isPair ? tr("Compare the two") : tr("Compare with…"));
        m_compare->setToolTip(
            isPair ? tr("Show the two compilations side by side, and which stages differ")
                   : tr("Show the compilations of another log beside these, and which stages differ. To compare two of "
                        "these, select both."));
    }

    /// Returns one row as a side of a comparison, without the messages about the log, which the page already shows.
    ComparedSide sideOfRow(std::size_t at) const
    {
        const sequence::Sequence &row = m_document->sequences[at];
        return sideOf(m_name + ' ' + shown(report::idText(row, *m_document)),
                      std::make_shared<const sequence::Document>(sequence::Document{m_document->sources, {row}, {}}));
    }

    void compare()
    {
        if (const auto pair = selectedPair())
            showSideBySide(sideOfRow(pair->first), sideOfRow(pair->second));
        else if (const QString path = m_actions.chooseOther(); !path.isEmpty())
            showSideBySide(sideOf(m_name, m_document), sideAt(path));
    }

    void showSideBySide(const ComparedSide &a, const ComparedSide &b)
    {
        (new SideBySideWindow(a, b, m_actions.openPair, this))->show();
    }

    /// Makes the note with the first message about the log; the summary of each compilation has all messages.
    QWidget *makeNote()
    {
        auto *note = new QLabel(this);
        note->setObjectName("messages");
        note->setTextFormat(Qt::PlainText);
        note->setWordWrap(true);
        note->setContentsMargins(12, 0, 12, 6);
        const auto &messages = m_document->diagnostics;
        note->setVisible(!messages.empty());
        if (messages.empty())
            return note;
        QString text = messageText(messages.front());
        if (messages.size() > 1)
            text += ' ' + tr("The summary below has %1 more.").arg(messages.size() - 1);
        note->setText(text);
        const bool isBad = std::ranges::any_of(
            messages, [](const sequence::Diagnostic &message) { return message.severity != ir::Severity::Info; });
        QPalette colours = palette();
        colours.setColor(QPalette::WindowText, isBad ? warningColor(colours) : mutedText(colours));
        note->setPalette(colours);
        return note;
    }

    void makeList()
    {
        m_shown->setSourceModel(m_model);
        m_shown->setFilterKeyColumn(-1);
        m_shown->setFilterCaseSensitivity(Qt::CaseInsensitive);
        m_shown->setSortRole(CompilationModel::sortRole);
        m_list->setObjectName("compilations");
        m_list->setModel(m_shown);
        m_list->setRootIsDecorated(false);
        m_list->setUniformRowHeights(true);
        m_list->setAllColumnsShowFocus(true);
        m_list->setSelectionMode(QAbstractItemView::ExtendedSelection);
        m_list->setTextElideMode(Qt::ElideMiddle);
        m_list->setItemDelegate(new RowDelegate(m_list));
        m_list->setItemDelegateForColumn(CompilationModel::ReasonColumn, new EndElidedDelegate(m_list));
        m_list->setAccessibleName(tr("Compilations"));
        m_list->header()->setSortIndicatorClearable(true);
        // Without this call, setSortingEnabled() would sort the rows at once, in reverse order.
        m_list->header()->setSortIndicator(-1, Qt::AscendingOrder);
        m_list->setSortingEnabled(true);
        for (int column = 0; column < CompilationModel::ColumnCount; ++column) {
            m_list->header()->resizeSection(column, columnWidths[column]);
            m_list->setColumnHidden(column, column != CompilationModel::ReasonColumn && m_model->isIdle(column));
        }
        m_list->resizeColumnToContents(CompilationModel::IdColumn); // it may be the long name of a folder
        m_list->header()->resizeSection(
            CompilationModel::IdColumn,
            std::max(m_list->header()->sectionSize(CompilationModel::IdColumn), columnWidths[0]));
        // The last column has the reason, and fills the width even where all reasons are empty.
        m_list->header()->setStretchLastSection(true);
        makeCopyable(*m_list, [this](QMenu &menu, const QModelIndex &) {
            if (selectedPair())
                menu.addAction(tr("Compare the two"), this, [this] { compare(); });
        });
        connect(m_list, &QTreeView::activated, this, [this](const QModelIndex &index) { stepThrough(index); });
        connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this, [this] { follow(); });
        connect(m_list->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] { followSelection(); });
        followSelection();
        auto *find = new QShortcut(QKeySequence::Find, this);
        find->setContext(Qt::WidgetWithChildrenShortcut);
        connect(find, &QShortcut::activated, m_filter, qOverload<>(&QWidget::setFocus));
        tellCount();
    }

    std::optional<std::size_t> sequenceAt(const QModelIndex &index) const
    {
        return index.isValid() ? std::optional(std::size_t(m_shown->mapToSource(index).row())) : std::nullopt;
    }

    /// Selects the first sequence that has graphs, which most users look for; without any, the first row.
    void selectFirst()
    {
        for (int row = 0; row < m_shown->rowCount(); ++row)
            if (const QModelIndex index = m_shown->index(row, 0);
                !m_document->sequences[*sequenceAt(index)].steps.empty())
                return m_list->setCurrentIndex(index);
        m_list->setCurrentIndex(m_shown->index(0, 0));
        follow();
    }

    void follow()
    {
        const auto at = sequenceAt(m_list->currentIndex());
        m_step->setEnabled(at && !m_document->sequences[*at].steps.empty());
        m_detail->show(at);
    }

    void stepThrough(const QModelIndex &index)
    {
        if (const auto at = sequenceAt(index); at && !m_document->sequences[*at].steps.empty())
            m_actions.stepThrough(*at);
    }

    static bool hasId(const sequence::Sequence &sequence) { return sequence.compileId.has_value(); }

    void tellCount()
    {
        const auto total = static_cast<long long>(m_document->sequences.size());
        const auto left = static_cast<long long>(m_shown->rowCount());
        const bool isOfCompilations = std::ranges::any_of(m_document->sequences, hasId);
        const QString all =
            isOfCompilations ? counted(total, "compilation", "compilations") : counted(total, "sequence", "sequences");
        QStringList texts{left == total ? all : tr("%1 of %2").arg(left).arg(all)};
        long long graphs = 0;
        for (const sequence::Sequence &each : m_document->sequences)
            graphs += static_cast<long long>(each.steps.size());
        texts << counted(graphs, "graph", "graphs");
        const std::pair<sequence::Status, QString> others[] = {{sequence::Status::Failed, tr("%1 failed")},
                                                               {sequence::Status::Restarted, tr("%1 restarted")},
                                                               {sequence::Status::Cut, tr("%1 cut off")}};
        for (const auto &[status, text] : others)
            if (const auto count = std::ranges::count(m_document->sequences, status, &sequence::Sequence::status);
                count > 0)
                texts << text.arg(count);
        m_count->setText(texts.join(QStringLiteral("  ·  ")));
    }

    QString m_name;
    std::shared_ptr<const sequence::Document> m_document;
    CompilationActions m_actions;
    CompilationModel *m_model;
    QSortFilterProxyModel *m_shown;
    QTreeView *m_list;
    QLineEdit *m_filter;
    QLabel *m_count;
    QPushButton *m_compare; ///< compares the log with another one, or two selected rows with each other
    QPushButton *m_step;
    CompilationDetail *m_detail;
};

} // namespace

QWidget *makeCompilationsPage(const QString &name, std::shared_ptr<const sequence::Document> document,
                              const CompilationActions &actions, QWidget *parent)
{
    return new CompilationsPage(name, std::move(document), actions, parent);
}

} // namespace cutaway::views
