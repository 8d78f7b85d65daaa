// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/start/start.h"

#include "views/appearance/fonts.h"
#include "views/appearance/icon.h"
#include "views/appearance/theme.h"
#include "views/parts/centred.h"
#include "views/parts/elided_label.h"

#include <QFileInfo>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

namespace cutaway::views {
namespace {

constexpr int startWidth = 560;
constexpr int arrowSize = 28;

class DropArea : public QWidget {
public:
    DropArea(const QString &formats, std::function<void()> browse, QWidget *parent) : QWidget(parent)
    {
        auto *column = new QVBoxLayout(this);
        column->setContentsMargins(24, 32, 24, 32);
        column->setSpacing(8);
        column->addSpacing(arrowSize + 8);
        auto *text = new QLabel(tr("Drop a model here"), this);
        text->setFont(titleFont(1.15));
        auto *what = new QLabel(formats, this);
        what->setForegroundRole(QPalette::PlaceholderText);
        what->setWordWrap(true);
        what->setAlignment(Qt::AlignHCenter);
        auto *button = new QPushButton(tr("Open…"), this);
        button->setDefault(true);
        connect(button, &QPushButton::clicked, this, [browse = std::move(browse)] { browse(); });
        column->addWidget(text, 0, Qt::AlignHCenter);
        column->addWidget(what);
        column->addSpacing(8);
        column->addWidget(button, 0, Qt::AlignHCenter);
    }

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        QPen pen(mutedText(palette()), 1.2, Qt::CustomDashLine);
        pen.setDashPattern({4, 4});
        painter.setPen(pen);
        painter.setBrush(palette().color(QPalette::Base));
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 8, 8);
        icon("drop").paint(&painter, QRect((width() - arrowSize) / 2, 32, arrowSize, arrowSize));
    }
};

class RecentRow : public QWidget {
public:
    RecentRow(const QString &path, std::function<void(const QString &)> open, QWidget *parent) : QWidget(parent)
    {
        const QFileInfo file(path);
        auto *row = new QHBoxLayout(this);
        row->setContentsMargins(0, 2, 0, 2);
        row->setSpacing(12);
        auto *name = new ElidedLabel(file.fileName(), this);
        name->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
        name->setAction([path, open = std::move(open)] { open(path); });
        name->setToolTipDetail(path);
        auto *folder = new ElidedLabel(file.absolutePath(), this);
        folder->setForegroundRole(QPalette::PlaceholderText);
        folder->setAlignment(Qt::AlignRight);
        row->addWidget(name);
        row->addWidget(folder, 1);
    }
};

QLabel *heading(const QString &text, QWidget *parent)
{
    auto *label = new QLabel(text, parent);
    label->setFont(titleFont(1));
    return label;
}

void addRecent(QVBoxLayout &column, const QStringList &files, const StartActions &actions, QWidget *parent)
{
    if (files.isEmpty())
        return;
    column.addSpacing(24);
    column.addWidget(heading(QObject::tr("Recent files"), parent));
    for (const QString &path : files)
        column.addWidget(new RecentRow(path, actions.open, parent));
}

} // namespace

QWidget *makeStartPage(const QStringList &recentFiles, const QStringList &formats, const StartActions &actions,
                       QWidget *parent)
{
    auto *page = new QWidget(parent);
    auto *block = new QWidget(page);
    block->setMaximumWidth(startWidth);
    auto *column = new QVBoxLayout(block);
    column->setContentsMargins(24, 24, 24, 24);
    column->setSpacing(4);
    auto *name = new QLabel(QStringLiteral("Cutaway"), block);
    name->setFont(titleFont(2));
    auto *purpose = new QLabel(QObject::tr("See what is in a model file."), block);
    purpose->setForegroundRole(QPalette::PlaceholderText);
    column->addWidget(name);
    column->addWidget(purpose);
    column->addSpacing(16);
    column->addWidget(new DropArea(formats.join("  ·  "), actions.browse, block));
    addRecent(*column, recentFiles, actions, block);
    placeCentred(block, page);
    return page;
}

} // namespace cutaway::views
