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
/// plugins, and the plugins that are found. A choice of the user for one session is for the next ones, too, and is kept
/// in `settings`.
class SessionDefaults {
public:
    explicit SessionDefaults(QSettings &settings);

    /// Gives a new session these settings before its first picture.
    void prepare(views::Session &session) const;
    /// Takes what the user chooses for a session, as long as `context` lives.
    void follow(views::Session &session, QObject &context);

    const views::Colouring &colouring() const { return m_colouring; }
    /// A colouring by a column is of one model, and is not taken.
    void setColouring(const views::Colouring &colouring);
    /// Sets the colouring as the user has chosen it, for later windows too.
    void keepColouring(const views::Colouring &colouring);
    /// Whether a device was set now or in an earlier window.
    bool hasDevice() const { return m_device.has_value(); }
    void setDevice(analysis::Device device) { m_device = std::move(device); }
    /// The Python of plugins that use the user's, from now on and in later windows: a program, or the folder of its
    /// environment; empty: that of the active environment.
    void keepPython(const QString &path);

private:
    QSettings &m_settings;
    views::Colouring m_colouring;
    std::optional<analysis::Device> m_device;
};

/// Gives a session the passes and backends of the plugins that are found now.
void usePlugins(views::Session &session);

} // namespace cutaway::desktop
