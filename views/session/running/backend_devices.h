// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/methods.h"
#include "views/parts/latest_work.h"

#include <QObject>
#include <variant>

namespace cutaway::views {

/// The devices that a backend lists. To ask it starts its program, so that is done on request alone.
class BackendDevices : public QObject {
    Q_OBJECT

public:
    struct NotAsked { };
    struct Asked { }; ///< there is no answer yet
    using Devices = std::vector<protocol::Devices::Device>;
    using State = std::variant<NotAsked, Asked, Devices, Error>;
    using Ask = std::function<Result<Devices>()>;

    const State &state() const { return m_state; }
    /// Asks on another thread, if that was not done yet or failed.
    void find(Ask ask);
    /// Forgets the devices, since another backend is chosen.
    void forget();

signals:
    void changed();

private:
    void setState(State state);

    State m_state = NotAsked{};
    LatestWork m_work; ///< last: it ends first
};

} // namespace cutaway::views
