// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/roofline/roofline.h"

#include "views/appearance/theme.h"
#include "views/parts/text.h"
#include "views/parts/when_seen.h"
#include "views/roofline/scatter.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>

namespace cutaway::views {
namespace {

QString fitText(const Figures &figures)
{
    const analysis::Roofline &roofline = figures.roofline();
    if (!roofline.neededBytes)
        return QObject::tr("memory not known");
    return (roofline.fits ? QObject::tr("fits: %1 of %2") : QObject::tr("does not fit: %1 of %2"))
        .arg(numberText(Quantity::Unit::Byte, *roofline.neededBytes),
             numberText(Quantity::Unit::Byte, figures.device().memory));
}

QString timeText(const analysis::Roofline &roofline)
{
    const QString seconds = numberText(Quantity::Unit::Second, roofline.seconds);
    if (roofline.unknown == 0)
        return QObject::tr("at least %1").arg(seconds);
    return QObject::tr("at least %1 without %2 whose time is not known: %3")
        .arg(seconds, counted(roofline.unknown, "node", "nodes"), shown(roofline.reason));
}

class RooflineView : public QWidget {
public:
    RooflineView(Session &session, QWidget *parent)
        : QWidget(parent),
          m_session(session),
          m_devices(analysis::builtinDevices()),
          m_choice(new QComboBox(this)),
          m_title(new QLabel(this)),
          m_scatter(new Scatter(session, this)),
          m_content(new WhenSeen(this, [this] { fill(); }))
    {
        for (const analysis::Device &device : m_devices)
            m_choice->addItem(shown(device.name), shown(device.id));
        connect(m_choice, &QComboBox::activated, this,
                [this](int i) { m_session.setDevice(m_devices[std::size_t(i)]); });
        m_title->setTextFormat(Qt::PlainText);
        m_title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
        auto *row = new QHBoxLayout;
        row->setContentsMargins(8, 6, 12, 6);
        row->setSpacing(12);
        row->addWidget(m_choice);
        row->addWidget(m_title, 1);
        auto *column = new QVBoxLayout(this);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(0);
        column->addLayout(row);
        column->addWidget(m_scatter, 1);
        setFocusProxy(m_choice);
        connect(&session, &Session::figuresChanged, m_content, &WhenSeen::refresh);
    }

private:
    void fill()
    {
        m_choice->setCurrentIndex(m_choice->findData(shown(m_session.device().id)));
        m_scatter->fill();
        const Figures *figures = m_session.figures().get();
        m_title->setText(figures ? timeText(figures->roofline()) + QStringLiteral("   ·   ") + fitText(*figures)
                                 : tr("Analysing…"));
        m_title->setToolTip(figures ? toolTipText(m_title->text() + "\n\n" + shown(figures->device().source))
                                    : QString());
    }

    Session &m_session;
    std::vector<analysis::Device> m_devices;
    QComboBox *m_choice;
    QLabel *m_title;
    Scatter *m_scatter;
    WhenSeen *m_content;
};

} // namespace

QWidget *makeRooflineView(Session &session, QWidget *parent) { return new RooflineView(session, parent); }

} // namespace cutaway::views
