// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/device.h"
#include "views/parts/latest_work.h"
#include "views/session/annotations/colouring.h"
#include "views/session/figures.h"

#include <QObject>
#include <QString>

namespace cutaway::views {

class Document;
class Running;

/// The figures of the shown function, for a device and with the times of the last profile. They are computed on another
/// thread; figures of the same function stay until newer ones are there.
class Analysing : public QObject {
    Q_OBJECT

public:
    Analysing(Document &document, const Running &running);

    /// Returns the figures; null until they are computed.
    const std::shared_ptr<const Figures> &figures() const { return m_figures; }
    /// Returns the derived type of a value, or else the recorded one: "float32 [1, 64, 112, 112]"; "" if neither is
    /// known.
    QString typeText(ir::ValueId value) const;
    bool isBusy() const { return m_work.isBusy(); }
    /// Returns the chosen device; at first this machine, if it has been measured, or else an H100.
    const analysis::Device &device() const { return m_device; }
    bool isMeasuring() const { return m_measuring.isBusy(); }
    const Colouring &colouring() const { return m_colouring; }

    void start() { analyse(); }
    /// Stops the computation and keeps the present figures.
    void cancel() { m_work.cancel(); }
    /// Sets the device; can be undone.
    void setDevice(const analysis::Device &device);
    /// Measures the processor that this program runs on, which takes two seconds, and makes it the device. It is saved
    /// for later sessions.
    void measureMachine();
    void setColouring(const Colouring &colouring);

signals:
    /// Emitted before figuresChanged() if shapes and costs are new, not only times or the device.
    void analysed();
    void figuresChanged();
    void busyChanged();
    void colouringChanged();
    void deviceChanged();
    void measuringChanged();

private:
    void analyse(std::shared_ptr<const analysis::Analysis> known = nullptr);
    void deriveAnew();
    void show(std::shared_ptr<const Figures> figures);

    Document &m_document;
    const Running &m_running;
    std::shared_ptr<const Figures> m_figures;
    analysis::Device m_device;
    Colouring m_colouring;
    LatestWork m_measuring;
    LatestWork m_work; ///< declared last, so that it ends before what it uses
};

} // namespace cutaway::views
