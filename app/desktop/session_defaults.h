// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/device.h"
#include "views/session/annotations/colouring.h"

#include <optional>

class QObject;
class QSettings;
class QString;

namespace cutaway::views {
class Session;
}

namespace cutaway::desktop {

/// The settings that the sessions of a window begin with: colouring, device, map, folders of sources, the Python of
/// plugins, and the plugins that are found. If the user changes one for a session, later sessions get it, too; it is
/// saved in `settings`.
class SessionDefaults {
public:
    explicit SessionDefaults(QSettings &settings);

    /// Gives a new session these settings before its first picture.
    void prepare(views::Session &session) const;
    /// Takes over what the user chooses for a session, as long as `context` lives.
    void follow(views::Session &session, QObject &context);

    const views::Colouring &colouring() const { return m_colouring; }
    /// Sets the colouring of later sessions. A colouring by a column is ignored, since the column belongs to one model.
    void setColouring(const views::Colouring &colouring);
    /// Sets the colouring of later sessions and saves it for later windows.
    void keepColouring(const views::Colouring &colouring);
    /// Whether a device was set now or in an earlier window.
    bool hasDevice() const { return m_device.has_value(); }
    void setDevice(analysis::Device device) { m_device = std::move(device); }
    /// Sets the Python for plugins that use the user's Python, now and in later windows. `path` is a program, or the
    /// folder of an environment; "" is the Python of the active environment.
    void keepPython(const QString &path);

private:
    QSettings &m_settings;
    views::Colouring m_colouring;
    std::optional<analysis::Device> m_device;
};

/// Gives a session the passes and backends of the plugins that are installed now.
void usePlugins(views::Session &session);

} // namespace cutaway::desktop
