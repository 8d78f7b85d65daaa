// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/start/start.h"

#include "views/appearance/fonts.h"
#include "views/appearance/icon.h"
#include "views/appearance/theme.h"
#include "views/parts/centred.h"
#include "views/parts/elided_label.h"

#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QPainter>
#include <QPainterPath>
#include <QPushButton>
#include <QVBoxLayout>

namespace cutaway::views {
namespace {

constexpr int startWidth = 560;
constexpr int arrowSize = 28;
constexpr QSize pictureSize{80, 50};

class DropArea : public QWidget {
public:
    DropArea(const QString &formats, const QString &sample, const StartActions &actions, QWidget *parent)
        : QWidget(parent)
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
        connect(button, &QPushButton::clicked, this, [browse = actions.browse] { browse(); });
        column->addWidget(text, 0, Qt::AlignHCenter);
        column->addWidget(what);
        column->addSpacing(8);
        column->addWidget(button, 0, Qt::AlignHCenter);
        if (sample.isEmpty())
            return;
        auto *link = new ElidedLabel(tr("Or try the sample, a small vision model"), this);
        link->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
        link->setToolTipDetail(sample);
        link->setAction([open = actions.open, sample] { open(sample); });
        column->addWidget(link, 0, Qt::AlignHCenter);
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

/// The last picture of a file, in the colours of the theme; an empty frame if there is no picture.
class RecentPicture : public QWidget {
public:
    RecentPicture(const RecentFile &file, QWidget *parent)
        : QWidget(parent),
          m_light(file.lightPicture),
          m_dark(file.darkPicture)
    {
        setFixedSize(pictureSize);
    }

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        painter.setRenderHints(QPainter::Antialiasing | QPainter::SmoothPixmapTransform);
        const QRectF frame = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
        QPainterPath shape;
        shape.addRoundedRect(frame, 4, 4);
        painter.fillPath(shape, palette().color(QPalette::Base));
        painter.setClipPath(shape);
        painter.drawPixmap(rect(), QPixmap(isDark(palette()) ? m_dark : m_light));
        painter.setClipping(false);
        painter.setPen(separator(palette()));
        painter.drawPath(shape);
    }

private:
    QString m_light, m_dark;
};

class RecentCard : public QWidget {
public:
    RecentCard(const RecentFile &recent, std::function<void(const QString &)> open, QWidget *parent) : QWidget(parent)
    {
        const QFileInfo file(recent.path);
        auto *name = new ElidedLabel(file.fileName(), this);
        name->setAction([path = recent.path, open = std::move(open)] { open(path); });
        name->setToolTipDetail(recent.path);
        auto *folder = new ElidedLabel(file.absolutePath(), this);
        folder->setForegroundRole(QPalette::PlaceholderText);
        auto *texts = new QVBoxLayout;
        texts->setSpacing(2);
        texts->addStretch();
        texts->addWidget(name);
        texts->addWidget(folder);
        texts->addStretch();
        auto *row = new QHBoxLayout(this);
        row->setContentsMargins(0, 4, 0, 4);
        row->setSpacing(12);
        row->addWidget(new RecentPicture(recent, this));
        row->addLayout(texts, 1);
    }
};

QLabel *heading(const QString &text, QWidget *parent)
{
    auto *label = new QLabel(text, parent);
    label->setFont(titleFont(1));
    return label;
}

void addRecent(QVBoxLayout &column, const QList<RecentFile> &files, const StartActions &actions, QWidget *parent)
{
    if (files.isEmpty())
        return;
    column.addSpacing(24);
    column.addWidget(heading(QObject::tr("Recent files"), parent));
    auto *grid = new QGridLayout;
    grid->setHorizontalSpacing(24);
    grid->setVerticalSpacing(0);
    for (int side : {0, 1})
        grid->setColumnStretch(side, 1);
    for (int i = 0; i < files.size(); ++i)
        grid->addWidget(new RecentCard(files[i], actions.open, parent), i / 2, i % 2);
    column.addLayout(grid);
}

} // namespace

QWidget *makeStartPage(const QList<RecentFile> &recentFiles, const QString &sample, const QStringList &formats,
                       const StartActions &actions, QWidget *parent)
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
    column->addWidget(new DropArea(formats.join("  ·  "), sample, actions, block));
    addRecent(*column, recentFiles, actions, block);
    placeCentred(block, page);
    return page;
}

} // namespace cutaway::views
