// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/session/running/backend_devices.h"

namespace cutaway::views {

void BackendDevices::find(Ask ask)
{
    const bool mayAsk = std::holds_alternative<NotAsked>(m_state) || std::holds_alternative<Error>(m_state);
    if (!mayAsk)
        return;
    setState(Asked{});
    m_work.request([this, ask = std::move(ask)](const std::stop_token &) -> LatestWork::Finish {
        auto found = ask();
        return [this, found = std::move(found)] { setState(found ? State(*found) : State(found.error())); };
    });
}

void BackendDevices::forget()
{
    m_work.cancel();
    if (!std::holds_alternative<NotAsked>(m_state))
        setState(NotAsked{});
}

void BackendDevices::setState(State state)
{
    m_state = std::move(state);
    emit changed();
}

} // namespace cutaway::views
