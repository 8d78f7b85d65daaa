// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/methods.h"
#include "views/parts/latest_work.h"

#include <QObject>
#include <variant>

namespace cutaway::views {

/// The devices that a backend lists. They are only asked for on request, since asking starts the backend's program.
class BackendDevices : public QObject {
    Q_OBJECT

public:
    struct NotAsked { };
    struct Asked { }; ///< the backend has not answered yet
    using Devices = std::vector<protocol::Devices::Device>;
    using State = std::variant<NotAsked, Asked, Devices, Error>;
    using Ask = std::function<Result<Devices>()>;

    const State &state() const { return m_state; }
    /// Asks for the devices on another thread, unless they are known or being asked for.
    void find(Ask ask);
    /// Forgets the devices, since another backend is chosen.
    void forget();

signals:
    void changed();

private:
    void setState(State state);

    State m_state = NotAsked{};
    LatestWork m_work; ///< declared last, so that it ends before what it uses
};

} // namespace cutaway::views
