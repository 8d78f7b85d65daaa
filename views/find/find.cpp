// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/find/find.h"

#include "views/appearance/icon.h"
#include "views/find/hit_model.h"
#include "views/find/search.h"
#include "views/parts/row_delegate.h"
#include "views/parts/text.h"
#include "views/session/analysing.h"
#include "views/session/document.h"
#include "views/session/navigation.h"
#include "views/session/session.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
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
          m_hits(new HitModel(session.document().models().shown.model, this)),
          m_line(new QLineEdit(this)),
          m_count(new QLabel(this)),
          m_list(new QTreeView(this))
    {
        setUpLine();
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
        column->addWidget(m_list, 1);
        setFocusProxy(m_line);
        connect(&session.navigation(), &Navigation::searchTextChanged, this,
                [this] { m_line->setText(m_navigation.searchText()); });
        for (const auto change : {&Document::functionChanged, &Document::stateChanged})
            connect(&session.document(), change, this, [this] { run(); });
        connect(&session.analysing(), &Analysing::figuresChanged, this,
                [this] { m_hits->setTypes([this](ir::ValueId value) { return m_analysing.typeText(value); }); });
    }

protected:
    bool eventFilter(QObject *watched, QEvent *event) override
    {
        if (watched == m_line && event->type() == QEvent::KeyPress) {
            const auto *key = static_cast<QKeyEvent *>(event);
            const bool enter = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
            const bool back = key->key() == Qt::Key_Up || (enter && key->modifiers() & Qt::ShiftModifier);
            if (enter || back || key->key() == Qt::Key_Down) {
                go(back ? -1 : 1);
                return true;
            }
            if (key->key() == Qt::Key_Escape) {
                m_navigation.requestFocus();
                return true;
            }
        }
        return QWidget::eventFilter(watched, event);
    }

private:
    void setUpLine()
    {
        m_line->setPlaceholderText(
            tr("Find a name, operator or module (Enter: next, Shift+Enter: previous, Esc: back to the graph)"));
        m_line->setClearButtonEnabled(true);
        m_line->addAction(icon("search"), QLineEdit::LeadingPosition);
        m_line->installEventFilter(this);
        m_count->setForegroundRole(QPalette::PlaceholderText);
        m_pause.setSingleShot(true);
        m_pause.setInterval(typingPauseMs);
        connect(m_line, &QLineEdit::textChanged, this, [this](const QString &text) {
            m_navigation.setSearchText(text);
            m_pause.start();
        });
        connect(&m_pause, &QTimer::timeout, this, [this] { run(); });
    }

    void setUpList()
    {
        m_list->setModel(m_hits);
        m_list->setRootIsDecorated(false);
        m_list->setItemDelegate(new RowDelegate(m_list));
        m_list->setUniformRowHeights(true);
        m_list->setAllColumnsShowFocus(true);
        m_list->setTextElideMode(Qt::ElideMiddle);
        m_list->setAccessibleName(tr("Search results"));
        m_list->header()->setStretchLastSection(true);
        for (int column = 0; column < HitModel::TypeColumn; ++column)
            m_list->header()->resizeSection(column, 220);
        const auto show = [this](const QModelIndex &index) {
            if (index.isValid())
                m_navigation.reveal(m_hits->hit(index.row()));
        };
        connect(m_list->selectionModel(), &QItemSelectionModel::currentRowChanged, this, show);
        connect(m_list, &QTreeView::clicked, this, show);
    }

    void run()
    {
        m_pause.stop();
        m_hits->setHits(m_document.functionId(), search(m_document.function(), m_line->text()));
        const int n = m_hits->rowCount();
        m_count->setText(m_line->text().trimmed().isEmpty() ? QString()
                             : n == int(mostHits)           ? tr("the first %1 hits; type more to see others").arg(n)
                                                            : counted(n, "hit", "hits"));
    }

    void go(int step)
    {
        if (m_pause.isActive())
            run();
        const int n = m_hits->rowCount();
        if (n == 0)
            return;
        const QModelIndex current = m_list->currentIndex();
        const int row = current.isValid() ? (current.row() + step + n) % n : step > 0 ? 0 : n - 1;
        m_list->setCurrentIndex(m_hits->index(row, 0));
    }

    Analysing &m_analysing;
    Document &m_document;
    Navigation &m_navigation;
    HitModel *m_hits;
    QLineEdit *m_line;
    QLabel *m_count;
    QTreeView *m_list;
    QTimer m_pause;
};

} // namespace

QWidget *makeFindView(Session &session, QWidget *parent) { return new FindView(session, parent); }

} // namespace cutaway::views
