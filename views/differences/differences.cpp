// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/differences/differences.h"

#include "core/report/difference.h"
#include "views/differences/difference_model.h"
#include "views/parts/clear_button.h"
#include "views/parts/column_widths.h"
#include "views/parts/elided_label.h"
#include "views/parts/row_delegate.h"
#include "views/parts/table_copy.h"
#include "views/parts/text.h"
#include "views/session/session.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>
#include <algorithm>

namespace cutaway::views {
namespace {

class Differences : public QWidget {
public:
    Differences(Session &session, QWidget *parent)
        : QWidget(parent),
          m_comparing(session.comparing()),
          m_model(new DifferenceModel(session, this)),
          m_list(new QTreeView(this)),
          m_filter(new QLineEdit(this)),
          m_same(new QCheckBox(tr("Show equivalent rewrites"), this)),
          m_summary(new ElidedLabel({}, this))
    {
        auto *column = new QVBoxLayout(this);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(0);
        column->addLayout(makeTools());
        column->addWidget(m_list, 1);
        makeList();
        connect(m_model, &QAbstractItemModel::modelReset, this, [this] { tell(); });
        connect(&m_comparing, &Comparing::busyChanged, this, [this] { tell(); });
        setFocusProxy(m_list);
        tell();
    }

private:
    QLayout *makeTools()
    {
        m_filter->setPlaceholderText(tr("Filter by name, operator, module, change"));
        m_filter->setAccessibleName(tr("Filter"));
        addClearButton(*m_filter);
        m_filter->setMinimumWidth(160);
        m_filter->setMaximumWidth(360);
        const auto filter = [this] { m_model->setFilter(m_filter->text(), m_same->isChecked()); };
        connect(m_filter, &QLineEdit::textChanged, m_model, filter);
        connect(m_same, &QCheckBox::toggled, m_model, filter);
        m_summary->setForegroundRole(QPalette::PlaceholderText);
        auto *row = new QHBoxLayout;
        row->setContentsMargins(8, 6, 8, 6);
        row->setSpacing(8);
        row->addWidget(m_filter, 1);
        row->addWidget(button(QStringLiteral("↑"), tr("Previous difference"), -1));
        row->addWidget(button(QStringLiteral("↓"), tr("Next difference"), 1));
        row->addWidget(m_same);
        row->addWidget(m_summary);
        row->addStretch();
        return row;
    }

    QWidget *button(const QString &text, const QString &toolTip, int by)
    {
        auto *made = new QToolButton(this);
        made->setText(text);
        made->setToolTip(toolTip);
        made->setAccessibleName(toolTip);
        made->setAutoRaise(true);
        connect(made, &QToolButton::clicked, this, [this, by] {
            const int row = m_list->currentIndex().isValid() ? m_list->currentIndex().row() + by : 0;
            if (row >= 0 && row < m_model->rowCount())
                m_list->setCurrentIndex(m_model->index(row, 0));
        });
        return made;
    }

    void makeList()
    {
        m_list->setModel(m_model);
        m_list->setRootIsDecorated(false);
        m_list->setUniformRowHeights(true);
        m_list->setAllColumnsShowFocus(true);
        m_list->setTextElideMode(Qt::ElideMiddle);
        m_list->setItemDelegate(new RowDelegate(m_list));
        m_list->setItemDelegateForColumn(DifferenceModel::WhatColumn, new EndElidedDelegate(m_list));
        m_list->setAccessibleName(tr("Differences"));
        makeCopyable(*m_list);
        m_list->header()->setMinimumSectionSize(24);
        m_list->header()->setStretchLastSection(true);
        fitColumns(*m_list);
        connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex &index) {
            if (index.isValid())
                m_comparing.reveal(m_model->row(index.row()));
        });
    }

    void tell()
    {
        const auto &difference = m_comparing.difference();
        if (!m_comparing.other())
            m_summary->setText(tr("File ▸ Compare with… opens the other model."));
        else if (!difference)
            m_summary->setText(tr("Comparing…"));
        else
            m_summary->setText(summary(*difference));
    }

    static QString summary(const diff::Difference &difference)
    {
        const diff::Counts counts = difference.counts();
        QString text = shown(report::verdictText(difference));
        if (!difference.isEqual())
            text = tr("%1 similar · %2").arg(shown(report::similarityText(difference)), text);
        if (!difference.isEqual() && !difference.isProven())
            text = tr("%1 · %2 not proven")
                       .arg(text, counted(static_cast<long long>(counts.notProven), "place", "places"));
        return counts.groups == 0 || difference.isExact
            ? text
            : tr("%1 · %2").arg(
                  text, counted(static_cast<long long>(counts.groups), "equivalent rewrite", "equivalent rewrites"));
    }

    Comparing &m_comparing;
    DifferenceModel *m_model;
    QTreeView *m_list;
    QLineEdit *m_filter;
    QCheckBox *m_same;
    ElidedLabel *m_summary;
};

} // namespace

QWidget *makeDifferences(Session &session, QWidget *parent) { return new Differences(session, parent); }

} // namespace cutaway::views
