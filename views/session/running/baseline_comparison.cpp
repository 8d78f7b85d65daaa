// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/session/running/baseline_comparison.h"

#include "core/base/result.h"
#include "core/run/reopened.h"
#include "views/session/document.h"

#include <QFileInfo>

namespace cutaway::views {

void BaselineComparison::setProfile(std::shared_ptr<const run::SavedProfile> profile)
{
    m_profile = std::move(profile);
    setBaseline(m_baseline);
}

void BaselineComparison::keep()
{
    if (m_profile)
        setBaseline(Baseline{tr("an earlier profile"), m_profile});
}

Result<void> BaselineComparison::read(const QString &path)
{
    CUTAWAY_TRY(auto saved, run::readProfile(path.toStdString()));
    CUTAWAY_RETURN_IF_ERROR(run::reopen(saved, m_document.file(), m_document.functionId()));
    setBaseline(Baseline{QFileInfo(path).fileName(), std::make_shared<const run::SavedProfile>(std::move(saved))});
    return {};
}

void BaselineComparison::end() { setBaseline(std::nullopt); }

void BaselineComparison::setBaseline(std::optional<Baseline> baseline)
{
    m_baseline = std::move(baseline);
    m_change.reset();
    if (m_baseline && m_profile && m_profile != m_baseline->profile)
        m_change = std::make_shared<const ProfileChange>(
            changeSince(*m_baseline, m_profile, m_document.file().at(m_document.functionId()).graph));
    emit changed();
}

} // namespace cutaway::views
