// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/command_palette/command_palette.h"

#include "views/appearance/theme.h"
#include "views/command_palette/command_model.h"

#include <QAction>
#include <QFrame>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

namespace cutaway::views {
namespace {

constexpr int popupWidth = 520;
constexpr int visibleRows = 12;

class ShortcutDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        QStyledItemDelegate::paint(painter, option, index);
        painter->setPen(mutedText(option.palette));
        painter->drawText(option.rect.adjusted(0, 0, -12, 0), Qt::AlignRight | Qt::AlignVCenter,
                          index.data(CommandModel::shortcutRole).toString());
    }

    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        return {QStyledItemDelegate::sizeHint(option, index).width(), 28};
    }
};

class CommandPalette : public QFrame {
public:
    CommandPalette(const QList<QAction *> &actions, QWidget *window, std::function<void(const QString &)> find)
        : QFrame(window, Qt::Popup),
          m_model(new CommandModel(actions, bool(find), this)),
          m_find(std::move(find)),
          m_line(new QLineEdit(this)),
          m_list(new QListView(this))
    {
        setAttribute(Qt::WA_DeleteOnClose);
        setFrameShape(QFrame::StyledPanel);
        auto *column = new QVBoxLayout(this);
        column->setContentsMargins(8, 8, 8, 8);
        column->setSpacing(8);
        column->addWidget(m_line);
        column->addWidget(m_list);
        m_line->setPlaceholderText(m_find ? tr("Type the name of an action, or what to find in the graph")
                                          : tr("Type the name of an action"));
        m_line->setAccessibleName(tr("Action"));
        m_line->installEventFilter(this);
        m_list->setAccessibleName(tr("Actions"));
        m_list->setModel(m_model);
        m_list->setItemDelegate(new ShortcutDelegate(m_list));
        m_list->setFocusPolicy(Qt::NoFocus);
        m_list->setCurrentIndex(m_model->index(0));
        connect(m_line, &QLineEdit::textChanged, this, [this](const QString &text) {
            m_model->setFilter(text);
            m_list->setCurrentIndex(m_model->index(0));
        });
        connect(m_list, &QListView::clicked, this, [this](const QModelIndex &index) { run(index); });
        resize(popupWidth, m_line->sizeHint().height() + visibleRows * 28 + 32);
        move(window->mapToGlobal(QPoint((window->width() - popupWidth) / 2, 72)));
        m_line->setFocus();
    }

protected:
    bool eventFilter(QObject *watched, QEvent *event) override
    {
        if (event->type() != QEvent::KeyPress)
            return QFrame::eventFilter(watched, event);
        const int key = static_cast<QKeyEvent *>(event)->key();
        if (key == Qt::Key_Return || key == Qt::Key_Enter)
            run(m_list->currentIndex());
        else if (key == Qt::Key_Down || key == Qt::Key_Up)
            step(key == Qt::Key_Down ? 1 : -1);
        else
            return QFrame::eventFilter(watched, event);
        return true;
    }

private:
    void step(int by)
    {
        const int rows = m_model->rowCount();
        if (rows > 0)
            m_list->setCurrentIndex(m_model->index((m_list->currentIndex().row() + by + rows) % rows));
    }

    void run(const QModelIndex &index)
    {
        QAction *action = m_model->action(index);
        const bool isFind = m_model->isFind(index);
        const QString text = m_model->text();
        close();
        if (action)
            action->trigger();
        else if (isFind)
            m_find(text);
    }

    CommandModel *m_model;
    std::function<void(const QString &)> m_find;
    QLineEdit *m_line;
    QListView *m_list;
};

} // namespace

void showCommandPalette(const QList<QAction *> &actions, QWidget *window,
                        const std::function<void(const QString &)> &find)
{
    (new CommandPalette(actions, window, find))->show();
}

} // namespace cutaway::views
