// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/find/find.h"

#include "views/appearance/theme.h"
#include "views/find/hit_model.h"
#include "views/parts/column_widths.h"
#include "views/parts/query_line.h"
#include "views/parts/row_delegate.h"
#include "views/parts/table_copy.h"
#include "views/parts/text.h"
#include "views/session/analysing.h"
#include "views/session/document.h"
#include "views/session/navigation.h"
#include "views/session/requests.h"
#include "views/session/search/query_words.h"
#include "views/session/searching.h"
#include "views/session/session.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QTimer>
#include <QTreeView>
#include <QVBoxLayout>

namespace cutaway::views {
namespace {

constexpr int typingPauseMs = 120;

class FindView : public QWidget {
public:
    FindView(Session &session, QWidget *parent)
        : QWidget(parent),
          m_analysing(session.analysing()),
          m_document(session.document()),
          m_navigation(session.navigation()),
          m_requests(session.requests()),
          m_searching(session.searching()),
          m_hits(new HitModel(this)),
          m_line(new QueryLine(this)),
          m_count(new QLabel(this)),
          m_note(new QLabel(this)),
          m_list(new QTreeView(this))
    {
        setUpLine();
        m_line->setWords([&session](const QString &property) { return queryWords(session, property); });
        setUpList();
        auto *top = new QHBoxLayout;
        top->setContentsMargins(8, 8, 8, 8);
        top->addWidget(m_line, 1);
        top->addWidget(m_count);
        top->setSpacing(12);
        auto *column = new QVBoxLayout(this);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(0);
        column->addLayout(top);
        column->addWidget(m_note);
        column->addWidget(m_list, 1);
        setFocusProxy(m_line);
        connect(&m_searching, &Searching::textChanged, this, [this] { showText(); });
        connect(&m_searching, &Searching::hitsChanged, this, [this] { showHits(); });
        connect(&m_searching, &Searching::currentChanged, this, [this] { showCurrent(); });
        connect(&m_analysing, &Analysing::figuresChanged, this,
                [this] { m_hits->setTypes([this](ir::ValueId value) { return m_analysing.typeText(value); }); });
        showText();
        showHits();
    }

protected:
    bool eventFilter(QObject *watched, QEvent *event) override
    {
        if (watched == m_line && event->type() == QEvent::KeyPress) {
            const auto *key = static_cast<QKeyEvent *>(event);
            const bool enter = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
            const bool back = key->key() == Qt::Key_Up || (enter && key->modifiers() & Qt::ShiftModifier);
            if (enter || back || key->key() == Qt::Key_Down) {
                search();
                m_searching.step(back ? -1 : 1);
                return true;
            }
            if (key->key() == Qt::Key_Escape) {
                m_requests.focus();
                return true;
            }
        }
        return QWidget::eventFilter(watched, event);
    }

private:
    void setUpLine()
    {
        m_line->setPlaceholderText(tr("Find a name, operator or module, or nodes: op:conv* and flops>1G "
                                      "(Enter: next, Shift+Enter: previous, Esc: back to the graph)"));
        m_line->setToolTip(queryHelp());
        m_line->setAccessibleName(tr("Find"));
        m_line->installEventFilter(this);
        connect(m_line, &QueryLine::entered, this, [this] {
            search();
            m_searching.step(1);
        });
        m_count->setForegroundRole(QPalette::PlaceholderText);
        m_note->setTextFormat(Qt::PlainText);
        m_note->setWordWrap(true);
        m_note->setContentsMargins(12, 0, 12, 8);
        m_pause.setSingleShot(true);
        m_pause.setInterval(typingPauseMs);
        connect(m_line, &QLineEdit::textEdited, &m_pause, qOverload<>(&QTimer::start));
        connect(m_line, &QLineEdit::textChanged, this, [this](const QString &text) {
            if (text.isEmpty()) // the clear button empties the line without the signal textEdited
                m_pause.start();
        });
        connect(&m_pause, &QTimer::timeout, this, [this] { search(); });
    }

    void setUpList()
    {
        m_list->setModel(m_hits);
        m_list->setRootIsDecorated(false);
        m_list->setItemDelegate(new RowDelegate(m_list));
        m_list->setItemDelegateForColumn(HitModel::TypeColumn, new EndElidedDelegate(m_list));
        m_list->setUniformRowHeights(true);
        m_list->setAllColumnsShowFocus(true);
        m_list->setTextElideMode(Qt::ElideMiddle);
        m_list->setAccessibleName(tr("Search results"));
        m_list->header()->setStretchLastSection(true);
        fitColumns(*m_list);
        const auto show = [this](const QModelIndex &index) {
            if (index.isValid() && !m_following)
                m_searching.setCurrent(std::size_t(index.row()));
        };
        connect(m_list->selectionModel(), &QItemSelectionModel::currentRowChanged, this, show);
        connect(m_list, &QTreeView::clicked, this, show);
        makeCopyable(*m_list);
    }

    /// Returns the help on queries: the properties that a query can ask for, a line each.
    static QString queryHelp()
    {
        QString text;
        for (const query::PropertyRow &row : query::properties())
            text += QStringLiteral("%1  %2\n").arg(shown(query::spelling(row)), shown(row.means));
        return text + tr("and, or, not, brackets; * stands for any text; names with blanks in quotes");
    }

    void search()
    {
        m_pause.stop();
        m_searching.setText(m_line->text());
    }

    void showText()
    {
        if (m_line->text() != m_searching.text()) {
            m_pause.stop();
            m_line->setText(m_searching.text());
        }
    }

    void showHits()
    {
        m_following = true;
        m_hits->setHits(m_document.models().shown.model, m_document.functionId(), m_searching.hits());
        m_following = false;
        const bool isAsked = !m_searching.text().trimmed().isEmpty();
        const auto &mistake = m_searching.mistake();
        m_count->setText(!isAsked || mistake           ? QString()
                             : m_searching.isWaiting() ? tr("Analysing…")
                                                       : counted(m_hits->rowCount(), "match", "matches"));
        m_note->setText(mistake ? sentence(mistake->message) : m_searching.note());
        m_note->setVisible(!m_note->text().isEmpty());
        QPalette colours = palette();
        colours.setColor(QPalette::WindowText, mistake ? errorColor(colours) : mutedText(colours));
        m_note->setPalette(colours);
        if (mistake && m_line->text() == m_searching.text())
            m_line->mark(mistake->at, mistake->length);
        else
            m_line->unmark();
        showCurrent();
    }

    void showCurrent()
    {
        const auto current = m_searching.current();
        m_following = true;
        m_list->setCurrentIndex(current ? m_hits->index(int(*current), 0) : QModelIndex());
        m_following = false;
    }

    Analysing &m_analysing;
    Document &m_document;
    Navigation &m_navigation;
    Requests &m_requests;
    Searching &m_searching;
    HitModel *m_hits;
    QueryLine *m_line;
    QLabel *m_count;
    QLabel *m_note;
    QTreeView *m_list;
    QTimer m_pause;
    bool m_following = false; ///< whether the program is setting the current row, rather than the user
};

} // namespace

QWidget *makeFindView(Session &session, QWidget *parent) { return new FindView(session, parent); }

} // namespace cutaway::views
