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

/// What is derived of the function that is shown, for a device and with the times of the last profile. It is computed
/// on another thread; the figures of the same function stay until newer ones are there.
class Analysing : public QObject {
    Q_OBJECT

public:
    Analysing(Document &document, const Running &running);

    /// Null until they are there.
    const std::shared_ptr<const Figures> &figures() const { return m_figures; }
    /// "float32 [1, 64, 112, 112]": what is derived of a value, or else recorded; "" if neither is.
    QString typeText(ir::ValueId value) const;
    bool isBusy() const { return m_work.isBusy(); }
    /// At first this machine, if it has been measured, or else an H100.
    const analysis::Device &device() const { return m_device; }
    bool isMeasuring() const { return m_measuring.isBusy(); }
    const Colouring &colouring() const { return m_colouring; }

    void start() { analyse(); }
    /// Keeps the figures that are there.
    void cancel() { m_work.cancel(); }
    /// Can be undone.
    void setDevice(const analysis::Device &device);
    /// Measures the processor that this program runs on, and predicts for it. That takes two seconds; its figures are
    /// kept for the next time.
    void measureMachine();
    void setColouring(const Colouring &colouring);

signals:
    /// Shapes and costs are new, not only times or the device. Before figuresChanged().
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
    LatestWork m_work; ///< last: it ends first
};

} // namespace cutaway::views
