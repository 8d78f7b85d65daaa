// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/session/running/profile_change.h"

#include <QObject>
#include <optional>

namespace cutaway::views {

class Document;

/// The comparison of the last profile with a baseline, which is an earlier profile or one from a file.
class BaselineComparison : public QObject {
    Q_OBJECT

public:
    explicit BaselineComparison(const Document &document) : m_document(document) { }

    const std::optional<Baseline> &baseline() const { return m_baseline; }
    /// Returns the change since the baseline; null while there is no baseline, or no later profile.
    const std::shared_ptr<const ProfileChange> &change() const { return m_change; }

    /// Sets the last profile, which is compared with the baseline; null if there is none.
    void setProfile(std::shared_ptr<const run::SavedProfile> profile);
    /// Makes the current profile, if there is one, the baseline of later ones.
    void keep();
    /// Compares the current and later profiles with a saved one. Errors: it cannot be read, or is of another model.
    Result<void> read(const QString &path);
    void end();

signals:
    void changed();

private:
    void setBaseline(std::optional<Baseline> baseline);

    const Document &m_document;
    std::shared_ptr<const run::SavedProfile> m_profile;
    std::optional<Baseline> m_baseline;
    std::shared_ptr<const ProfileChange> m_change;
};

} // namespace cutaway::views
