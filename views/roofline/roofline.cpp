// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/roofline/roofline.h"

#include "core/analysis/known_devices.h"
#include "views/appearance/theme.h"
#include "views/parts/text.h"
#include "views/parts/when_seen.h"
#include "views/roofline/scatter.h"
#include "views/session/analysing.h"
#include "views/session/document.h"
#include "views/session/session.h"
#include "views/session/times_text.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <algorithm>

namespace cutaway::views {
namespace {

QString fitText(const Figures &figures)
{
    const analysis::Roofline &roofline = figures.rooflineAtExample();
    if (!roofline.neededBytes)
        return QObject::tr("memory unknown");
    return (roofline.fits ? QObject::tr("fits: %1 of %2") : QObject::tr("does not fit: %1 of %2"))
        .arg(numberText(Quantity::Unit::Byte, *roofline.neededBytes),
             numberText(Quantity::Unit::Byte, figures.device().memory));
}

QString timeText(const Figures &figures)
{
    const analysis::Roofline &roofline = figures.rooflineAtExample();
    const bool isExample = figures.total(Measure::Time).example.has_value();
    const QString seconds =
        QObject::tr("at least %1")
            .arg(isExample ? exampleText(Quantity::Unit::Second, roofline.seconds) : secondsText(roofline.seconds));
    return roofline.unknown == 0
        ? seconds
        : QObject::tr("%1, and %2 of unknown time: %3")
              .arg(seconds, counted(roofline.unknown, "node", "nodes"), shown(roofline.reason));
}

/// Returns the text of the measured time; "" before there is a profile.
QString measuredText(const Figures &figures)
{
    const auto measured = figures.total(Measure::Measured).number();
    if (!measured)
        return {};
    QString text = QObject::tr("   ·   measured %1").arg(numberText(Quantity::Unit::Second, *measured));
    const auto predicted = figures.total(Measure::Time).number();
    if (!predicted || *predicted <= 0)
        return text;
    return text + QStringLiteral(" (%1)").arg(numberText(Quantity::Unit::Ratio, *measured / *predicted));
}

class RooflineView : public QWidget {
public:
    RooflineView(Session &session, QWidget *parent)
        : QWidget(parent),
          m_analysing(session.analysing()),
          m_devices(analysis::knownDevices().value_or(analysis::builtinDevices())),
          m_choice(new QComboBox(this)),
          m_measure(new QPushButton(this)),
          m_sizes(new QPushButton(this)),
          m_title(new QLabel(this)),
          m_scatter(new Scatter(session, this)),
          m_content(new WhenSeen(this, [this] { fill(); }))
    {
        fillDevices();
        m_choice->setAccessibleName(tr("Device"));
        m_choice->setMaximumWidth(m_choice->sizeHint().width());
        m_choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        m_choice->setMinimumContentsLength(10); // narrow enough to leave room for the time in a narrow window
        connect(m_choice, &QComboBox::activated, this, [this](int i) { choose(i); });
        connect(m_measure, &QPushButton::clicked, this, [this] { m_analysing.measureMachine(); });
        connect(&m_analysing, &Analysing::measuringChanged, this, [this] { fill(); });
        connect(&m_analysing, &Analysing::deviceChanged, this, [this] { take(m_analysing.device()); });
        connect(m_sizes, &QPushButton::clicked, this, [&session] { session.document().requestSizes(); });
        m_sizes->setToolTip(tr("Free dimensions are set in Bindings"));
        m_title->setTextFormat(Qt::PlainText);
        m_title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
        auto *row = new QHBoxLayout;
        row->setContentsMargins(8, 6, 12, 6);
        row->setSpacing(12);
        row->addWidget(m_choice, 1);
        row->addWidget(m_measure);
        row->addWidget(m_title, 1);
        row->addWidget(m_sizes);
        auto *column = new QVBoxLayout(this);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(0);
        column->addLayout(row);
        column->addWidget(m_scatter, 1);
        setFocusProxy(m_choice);
        connect(&session.analysing(), &Analysing::figuresChanged, m_content, &WhenSeen::refresh);
    }

private:
    void fillDevices()
    {
        m_choice->clear();
        for (const analysis::Device &device : m_devices)
            m_choice->addItem(shown(device.name), shown(device.id));
        m_measure->setText(std::ranges::contains(m_devices, analysis::thisMachine, &analysis::Device::id)
                               ? tr("Measure again")
                               : tr("Measure this machine"));
        m_measure->setToolTip(tr("Peak rate and memory bandwidth of this machine; takes 2 s"));
    }

    void choose(int i)
    {
        if (m_devices[std::size_t(i)].id != m_analysing.device().id)
            m_analysing.setDevice(m_devices[std::size_t(i)]);
    }

    void take(const analysis::Device &device)
    {
        std::erase_if(m_devices, [&](const analysis::Device &each) { return each.id == device.id; });
        m_devices.push_back(device);
        std::ranges::sort(m_devices, {}, &analysis::Device::id);
        fillDevices();
        m_content->refresh();
    }

    void fill()
    {
        m_choice->setEnabled(!m_analysing.isMeasuring());
        m_measure->setEnabled(!m_analysing.isMeasuring());
        m_choice->setCurrentIndex(m_choice->findData(shown(m_analysing.device().id)));
        m_scatter->fill();
        const Figures *figures = m_analysing.figures().get();
        m_title->setText(m_analysing.isMeasuring() ? tr("Measuring this machine…")
                             : figures ? timeText(*figures) + measuredText(*figures) + QStringLiteral("   ·   ")
                                 + fitText(*figures)
                                       : tr("Analysing…"));
        m_title->setToolTip(figures
                                ? toolTipText(m_title->text() + '\n' + figures->exactText(figures->total(Measure::Time))
                                              + "\n\n" + shown(figures->device().source))
                                : QString());
        m_sizes->setText(figures ? openSizesText(*figures) : QString());
        m_sizes->setVisible(!m_sizes->text().isEmpty());
    }

    Analysing &m_analysing;
    std::vector<analysis::Device> m_devices;
    QComboBox *m_choice;
    QPushButton *m_measure;
    QPushButton *m_sizes; ///< opens the panel where sizes are set
    QLabel *m_title;
    Scatter *m_scatter;
    WhenSeen *m_content;
};

} // namespace

QWidget *makeRooflineView(Session &session, QWidget *parent) { return new RooflineView(session, parent); }

} // namespace cutaway::views
