// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <memory>

namespace cutaway::views {
class InStep;
}

namespace cutaway::desktop {

class Panes;

/// While it is switched on, keeps place, zoom and selection of the visible graphs in step: of the pages in front of the
/// panes, and of the models that they are compared with.
class Lockstep : public QObject {
    Q_OBJECT

public:
    explicit Lockstep(const Panes &panes);
    ~Lockstep() override;

    bool isOn() const { return m_isOn; }
    void setOn(bool isOn);
    /// Whether it is known which parts of the graphs correspond.
    bool isReady() const;
    /// Links the graphs that are in front now.
    void link();
    /// Unlinks the graphs. It must be called before a linked graph is deleted.
    void unlink();

signals:
    void onChanged();

private:
    const Panes &m_panes;
    std::unique_ptr<views::InStep> m_inStep; ///< nullptr while nothing is linked
    bool m_isOn = false;
};

} // namespace cutaway::desktop
