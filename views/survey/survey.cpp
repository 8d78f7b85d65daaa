// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/survey/survey.h"

#include "core/survey/model_query.h"
#include "views/appearance/fonts.h"
#include "views/appearance/theme.h"
#include "views/parts/latest_work.h"
#include "views/parts/query_line.h"
#include "views/parts/row_delegate.h"
#include "views/parts/table_copy.h"
#include "views/parts/text.h"
#include "views/session/searching.h"
#include "views/survey/survey_model.h"

#include <QComboBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QShortcut>
#include <QTimer>
#include <QTreeView>
#include <algorithm>
#include <map>

namespace cutaway::views {
namespace {

constexpr int surveyColumnWidths[SurveyModel::ColumnCount] = {330, 90, 90, 150, 70, 80, 105, 100, 190, 120, 100};
constexpr int profileColumnWidth = 100; ///< the least width in pixels; names of machines may need more
constexpr int queryPauseMs = 150;

/// The models that match a query, and notes on models for which that is unknown.
struct Filtered {
    std::vector<bool> shown;
    QStringList notes;
};

Filtered filtered(const std::vector<survey::Entry> &entries, const query::Expression &query)
{
    Filtered result{std::vector<bool>(entries.size()), {}};
    std::size_t unopened = 0, notRead = 0;
    std::map<query::Property, std::size_t> notKnown;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const survey::ModelAnswer answer = survey::answerTo(query, entries[i]);
        result.shown[i] = answer.match == query::Match::Yes;
        if (answer.match != query::Match::Unknown)
            continue;
        if (answer.needsFile)
            ++unopened;
        else if (entries[i].state != survey::State::Read)
            ++notRead;
        else
            for (const query::Property property : answer.notKnown)
                ++notKnown[property];
    }
    for (const auto &[property, models] : notKnown)
        result.notes << shown(survey::notKnownText(property, models));
    if (notRead > 0)
        result.notes
            << QObject::tr("%1 not read").arg(counted(static_cast<long long>(notRead), "model was", "models were"));
    if (unopened > 0)
        result.notes << QObject::tr("of %1 only the file tells: cutaway-cli query --in opens them")
                            .arg(counted(static_cast<long long>(unopened), "model", "models"));
    return result;
}

class SurveyPage : public QWidget {
public:
    SurveyPage(QString path, SurveyActions actions, QWidget *parent)
        : QWidget(parent),
          m_path(std::move(path)),
          m_actions(std::move(actions)),
          m_model(new SurveyModel(this)),
          m_list(new QTreeView(this)),
          m_filter(new QueryLine(this)),
          m_count(new QLabel(this)),
          m_note(new QLabel(this)),
          m_open(new QPushButton(tr("Open"), this)),
          m_compare(new QPushButton(tr("Compare the two"), this))
    {
        auto *column = new QVBoxLayout(this);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(0);
        column->addLayout(makeTitle());
        column->addLayout(makeTools());
        column->addWidget(m_note);
        column->addWidget(m_list, 1);
        makeList();
        setFocusProxy(m_list);
        read();
    }

private:
    QLayout *makeTitle()
    {
        auto *title = new QLabel(QFileInfo(m_path).fileName(), this);
        title->setFont(titleFont(1.15));
        title->setTextFormat(Qt::PlainText);
        title->setToolTip(toolTipText(m_path));
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
        m_filter->setPlaceholderText(tr("Filter by name, or op:Loop, params>1G, opset<13, state:crashed"));
        m_filter->setAccessibleName(tr("Filter"));
        m_filter->setMaximumWidth(520);
        m_note->setTextFormat(Qt::PlainText);
        m_note->setWordWrap(true);
        m_note->setContentsMargins(12, 0, 12, 6);
        m_note->hide();
        m_pause.setSingleShot(true);
        m_pause.setInterval(queryPauseMs);
        connect(m_filter, &QLineEdit::textChanged, &m_pause, qOverload<>(&QTimer::start));
        connect(&m_pause, &QTimer::timeout, this, [this] { filter(); });
        auto *grouping = new QComboBox(this);
        grouping->setAccessibleName(tr("Grouping"));
        grouping->addItems({tr("Not grouped"), tr("By producer"), tr("By format"), tr("By family"), tr("By state")});
        connect(grouping, &QComboBox::currentIndexChanged, this, [this](int i) {
            m_model->setGrouping(static_cast<SurveyModel::Grouping>(i));
            m_list->setRootIsDecorated(i > 0);
            m_list->expandAll();
            follow();
        });
        m_open->setToolTip(tr("Open the model (Enter)"));
        m_compare->setObjectName("compare");
        m_compare->setToolTip(tr("Select two models (Ctrl+click)"));
        connect(m_open, &QPushButton::clicked, this, [this] { open(m_list->currentIndex()); });
        connect(m_compare, &QPushButton::clicked, this, [this] { compare(); });
        auto *row = new QHBoxLayout;
        row->setContentsMargins(8, 6, 8, 6);
        row->setSpacing(8);
        row->addWidget(m_filter, 1);
        row->addWidget(grouping);
        row->addStretch();
        row->addWidget(m_compare);
        row->addWidget(m_open);
        return row;
    }

    void makeList()
    {
        m_list->setModel(m_model);
        m_list->setRootIsDecorated(false);
        m_list->setUniformRowHeights(true);
        m_list->setAllColumnsShowFocus(true);
        m_list->setSelectionMode(QAbstractItemView::ExtendedSelection);
        m_list->setTextElideMode(Qt::ElideMiddle);
        m_list->setItemDelegate(new RowDelegate(m_list));
        for (int column = SurveyModel::OpsetColumn; column < SurveyModel::ColumnCount; ++column)
            m_list->setItemDelegateForColumn(column, new EndElidedDelegate(m_list));
        m_list->setIndentation(16);
        m_list->setAccessibleName(tr("Models"));
        m_list->header()->setStretchLastSection(false);
        m_list->header()->setSortIndicatorClearable(true);
        m_list->header()->setSortIndicator(-1, Qt::DescendingOrder);
        m_list->setSortingEnabled(true);
        for (int column = 0; column < SurveyModel::ColumnCount; ++column)
            m_list->header()->resizeSection(column, surveyColumnWidths[column]);
        makeCopyable(*m_list);
        connect(m_list, &QTreeView::activated, this, [this](const QModelIndex &index) { open(index); });
        connect(m_list->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] { follow(); });
        connect(m_model, &QAbstractItemModel::modelReset, this, [this] { follow(); });
        auto *find = new QShortcut(QKeySequence::Find, this);
        find->setContext(Qt::WidgetWithChildrenShortcut);
        connect(find, &QShortcut::activated, m_filter, qOverload<>(&QWidget::setFocus));
        follow();
    }

    /// Reads the database on another thread: it has thousands of models, and may be on a network.
    void read()
    {
        m_count->setText(tr("Reading…"));
        m_work.request([this, path = m_path.toStdString()](const std::stop_token &) -> LatestWork::Finish {
            const auto database = survey::Database::read(path);
            auto entries = database ? database->entries({}, survey::Modules::Included)
                                    : Result<std::vector<survey::Entry>>(std::unexpected(database.error()));
            return [this, entries = std::move(entries)] {
                entries ? take(std::make_shared<const std::vector<survey::Entry>>(*entries)) : fail(entries.error());
            };
        });
    }

    void take(SurveyModel::Entries entries)
    {
        m_entries = std::move(entries);
        m_model->setEntries(m_entries);
        const bool allRead = std::ranges::all_of(
            *m_entries, [](const survey::Entry &entry) { return entry.state == survey::State::Read; });
        m_list->setColumnHidden(SurveyModel::StateColumn, allRead);
        for (int column = SurveyModel::ColumnCount; column < m_model->columnCount(); ++column) {
            m_list->header()->resizeSection(column,
                                            std::max(profileColumnWidth, m_list->header()->sectionSizeHint(column)));
            m_list->setItemDelegateForColumn(column, new EndElidedDelegate(m_list));
        }
        filter();
        m_list->setCurrentIndex(m_model->index(0, 0));
        if (m_actions.shown)
            m_actions.shown();
    }

    void fail(const Error &error)
    {
        m_count->setText({});
        tell(sentence(shown(error.text())), true);
        if (m_actions.shown)
            m_actions.shown();
    }

    /// Filters the rows by the query. If the text is not a query, the rows stay as they are.
    void filter()
    {
        m_filter->unmark();
        tell({}, false);
        if (!m_entries)
            return;
        std::vector<bool> all(m_entries->size(), true);
        if (!m_filter->text().trimmed().isEmpty()) {
            const auto query = parseQuery(m_filter->text(), query::Subject::Model);
            if (!query) {
                m_filter->mark(query.error().at, query.error().length);
                return tell(sentence(query.error().message), true);
            }
            Filtered result = filtered(*m_entries, *query);
            all = std::move(result.shown);
            if (!result.notes.isEmpty())
                tell(tr("Not known: %1.").arg(result.notes.join(QStringLiteral("; "))), false);
        }
        m_model->setShown(std::move(all));
        m_list->expandAll();
        tellCount();
    }

    void tellCount()
    {
        const auto total = static_cast<long long>(m_entries->size());
        const auto left = static_cast<long long>(m_model->shownCount());
        const auto failed = std::ranges::count_if(
            *m_entries, [](const survey::Entry &entry) { return entry.state != survey::State::Read; });
        QString text = left == total ? counted(total, "model", "models")
                                     : tr("%1 of %2").arg(left).arg(counted(total, "model", "models"));
        if (failed > 0)
            text += tr("  ·  %1 not read").arg(failed);
        m_count->setText(text);
    }

    void tell(const QString &note, bool isMistake)
    {
        m_note->setText(note);
        m_note->setVisible(!note.isEmpty());
        QPalette colours = palette();
        colours.setColor(QPalette::WindowText, isMistake ? errorColor(colours) : mutedText(colours));
        m_note->setPalette(colours);
    }

    std::vector<QString> selected() const
    {
        std::vector<QString> paths;
        for (const QModelIndex &index : m_list->selectionModel()->selectedRows())
            if (const survey::Entry *entry = m_model->entry(index))
                paths.push_back(QString::fromStdString(entry->path));
        return paths;
    }

    void follow()
    {
        const std::size_t count = selected().size();
        m_open->setEnabled(count == 1);
        m_compare->setEnabled(count == 2);
    }

    void open(const QModelIndex &index)
    {
        if (const survey::Entry *entry = m_model->entry(index))
            m_actions.open(QString::fromStdString(entry->path));
    }

    /// Compares the two selected models in the order of their paths, whichever was selected first.
    void compare()
    {
        if (std::vector<QString> both = selected(); both.size() == 2) {
            std::ranges::sort(both);
            m_actions.compare(both[0], both[1]);
        }
    }

    QString m_path;
    SurveyActions m_actions;
    SurveyModel *m_model;
    QTreeView *m_list;
    QueryLine *m_filter;
    QLabel *m_count;
    QLabel *m_note;
    QPushButton *m_open;
    QPushButton *m_compare;
    SurveyModel::Entries m_entries;
    QTimer m_pause;    ///< delays filtering until the user stops typing
    LatestWork m_work; ///< declared last, so that it ends before what it uses
};

} // namespace

QWidget *makeSurveyPage(const QString &path, const SurveyActions &actions, QWidget *parent)
{
    return new SurveyPage(path, actions, parent);
}

} // namespace cutaway::views
