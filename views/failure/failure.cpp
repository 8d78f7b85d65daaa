// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/failure/failure.h"

#include "views/appearance/fonts.h"
#include "views/appearance/icon.h"
#include "views/appearance/theme.h"
#include "views/parts/centred.h"
#include "views/parts/elided_label.h"
#include "views/parts/text.h"

#include <QClipboard>
#include <QFileInfo>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace cutaway::views {
namespace {

constexpr int pageWidth = 620;

QLabel *wrapped(const QString &text, QWidget *parent)
{
    auto *label = new QLabel(text, parent);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

/// Messages start lower-case, for a line of a terminal; here they are sentences.
QString sentence(QString text)
{
    if (!text.isEmpty())
        text[0] = text[0].toUpper();
    return text.isEmpty() || text.endsWith('.') ? text : text + '.';
}

QWidget *buttons(const QString &details, const FailureActions &actions, QWidget *parent)
{
    auto *row = new QWidget(parent);
    auto *line = new QHBoxLayout(row);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(8);
    auto *other = new QPushButton(QObject::tr("Open another file…"), row);
    other->setDefault(true);
    auto *again = new QPushButton(QObject::tr("Try again"), row);
    auto *copy = new QPushButton(QObject::tr("Copy message"), row);
    QObject::connect(other, &QPushButton::clicked, row, [browse = actions.browse] { browse(); });
    QObject::connect(again, &QPushButton::clicked, row, [retry = actions.retry] { retry(); });
    QObject::connect(copy, &QPushButton::clicked, row, [details] { QGuiApplication::clipboard()->setText(details); });
    for (QPushButton *button : {other, again, copy})
        line->addWidget(button);
    line->addStretch();
    return row;
}

void addPlace(QVBoxLayout &column, const QString &where, QWidget *parent)
{
    if (where.isEmpty())
        return;
    QLabel *place = wrapped(QObject::tr("Where: %1").arg(where), parent);
    place->setFont(monospaceFont());
    place->setForegroundRole(QPalette::PlaceholderText);
    column.addWidget(place);
}

void addTitle(QVBoxLayout &column, const QFileInfo &file, QWidget *parent)
{
    auto *title = new ElidedLabel(QObject::tr("%1 could not be opened").arg(file.fileName()), parent);
    title->setFont(titleFont(1.4));
    auto *folder = new ElidedLabel(file.absolutePath(), parent);
    folder->setForegroundRole(QPalette::PlaceholderText);
    column.addWidget(title);
    column.addWidget(folder);
}

} // namespace

QWidget *makeFailurePage(const QString &path, const Error &error, const QString &formats, const FailureActions &actions,
                         QWidget *parent)
{
    auto *page = new QWidget(parent);
    auto *block = new QWidget(page);
    block->setMaximumWidth(pageWidth);
    auto *column = new QVBoxLayout(block);
    column->setContentsMargins(24, 24, 24, 24);
    column->setSpacing(4);
    addTitle(*column, QFileInfo(path), block);
    column->addSpacing(16);
    column->addWidget(wrapped(sentence(shown(error.message)), block));
    addPlace(*column, shown(error.where), block);
    column->addSpacing(16);
    QLabel *advice =
        wrapped(QObject::tr("What Cutaway opens: %1. If another program reads this file, its format may be newer "
                            "than Cutaway, or only a part of it may have arrived: compare its size with "
                            "the original's.")
                    .arg(formats),
                block);
    advice->setForegroundRole(QPalette::PlaceholderText);
    column->addWidget(advice);
    column->addSpacing(16);
    column->addWidget(buttons(path + ": " + shown(error.text()), actions, block));
    placeCentred(block, page);
    return page;
}

} // namespace cutaway::views
