// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/roofline/roofline.h"

#include "core/analysis/calibration.h"
#include "core/analysis/known_devices.h"
#include "core/base/whole_file.h"
#include "views/appearance/theme.h"
#include "views/parts/text.h"
#include "views/parts/when_seen.h"
#include "views/roofline/scatter.h"
#include "views/session/analysing.h"
#include "views/session/session.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <algorithm>
#include <tuple>

namespace cutaway::views {
namespace {

QString fitText(const Figures &figures)
{
    const analysis::Roofline &roofline = figures.roofline();
    if (!roofline.neededBytes)
        return QObject::tr("memory unknown");
    return (roofline.fits ? QObject::tr("fits: %1 of %2") : QObject::tr("does not fit: %1 of %2"))
        .arg(numberText(Quantity::Unit::Byte, *roofline.neededBytes),
             numberText(Quantity::Unit::Byte, figures.device().memory));
}

QString timeText(const analysis::Roofline &roofline)
{
    const QString seconds = numberText(Quantity::Unit::Second, roofline.seconds);
    if (roofline.unknown == 0)
        return QObject::tr("at least %1").arg(seconds);
    return QObject::tr("at least %1, without %2 of unknown time: %3")
        .arg(seconds, counted(roofline.unknown, "node", "nodes"), shown(roofline.reason));
}

/// Nothing before there is a profile.
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

/// It is kept for the next time; where that cannot be, it is good for this one.
analysis::Device measuredMachine()
{
    analysis::Device device = analysis::calibrate();
    const auto folder = analysis::userDeviceFolder();
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (!folder.empty() && !error)
        std::ignore =
            writeWholeFile(folder / (std::string(analysis::thisMachine) + ".json"), analysis::printDevice(device));
    return device;
}

class RooflineView : public QWidget {
public:
    RooflineView(Session &session, QWidget *parent)
        : QWidget(parent),
          m_analysing(session.analysing()),
          m_devices(analysis::knownDevices().value_or(analysis::builtinDevices())),
          m_choice(new QComboBox(this)),
          m_title(new QLabel(this)),
          m_scatter(new Scatter(session, this)),
          m_content(new WhenSeen(this, [this] { fill(); }))
    {
        fillDevices();
        m_choice->setAccessibleName(tr("Device"));
        connect(m_choice, &QComboBox::activated, this, [this](int i) { choose(i); });
        connect(&m_measuring, &LatestWork::busyChanged, this, [this] { fill(); });
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
        connect(&session.analysing(), &Analysing::figuresChanged, m_content, &WhenSeen::refresh);
    }

private:
    void fillDevices()
    {
        m_choice->clear();
        for (const analysis::Device &device : m_devices)
            m_choice->addItem(shown(device.name), shown(device.id));
        m_choice->addItem(std::ranges::contains(m_devices, analysis::thisMachine, &analysis::Device::id)
                              ? tr("Measure this machine again (2 s)")
                              : tr("Measure this machine (2 s)"));
    }

    void choose(int i)
    {
        if (std::size_t(i) < m_devices.size() && m_devices[std::size_t(i)].id == m_analysing.device().id)
            return;
        if (std::size_t(i) < m_devices.size())
            return m_analysing.setDevice(m_devices[std::size_t(i)]);
        m_measuring.request([this](const std::stop_token &) -> LatestWork::Finish {
            return [this, device = measuredMachine()] { take(device); };
        });
    }

    void take(const analysis::Device &device)
    {
        std::erase_if(m_devices, [&](const analysis::Device &each) { return each.id == device.id; });
        m_devices.push_back(device);
        std::ranges::sort(m_devices, {}, &analysis::Device::id);
        fillDevices();
        m_analysing.setDevice(device);
    }

    void fill()
    {
        m_choice->setEnabled(!m_measuring.isBusy());
        m_choice->setCurrentIndex(m_choice->findData(shown(m_analysing.device().id)));
        m_scatter->fill();
        const Figures *figures = m_analysing.figures().get();
        m_title->setText(m_measuring.isBusy() ? tr("Measuring this machine…")
                             : figures        ? timeText(figures->roofline()) + measuredText(*figures)
                                 + QStringLiteral("   ·   ") + fitText(*figures)
                                       : tr("Analysing…"));
        m_title->setToolTip(figures ? toolTipText(m_title->text() + "\n\n" + shown(figures->device().source))
                                    : QString());
    }

    Analysing &m_analysing;
    std::vector<analysis::Device> m_devices;
    QComboBox *m_choice;
    QLabel *m_title;
    Scatter *m_scatter;
    WhenSeen *m_content;
    LatestWork m_measuring; ///< last: it ends first
};

} // namespace

QWidget *makeRooflineView(Session &session, QWidget *parent) { return new RooflineView(session, parent); }

} // namespace cutaway::views
