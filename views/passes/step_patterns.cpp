// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/passes/step_patterns.h"

#include "views/parts/step_text.h"
#include "views/session/stepping.h"

namespace cutaway::views {
namespace {

/// A step that removes, adds and changes at most so many nodes is described without a thread, in a few milliseconds.
constexpr std::size_t mostAtOnce = 2'000;

std::size_t sizeOf(const diff::StepDifference &step)
{
    return step.removed.size() + step.added.size() + step.changed.size();
}

} // namespace

bool StepPatterns::Key::isSame(const Key &other) const
{
    const auto isOne = [](const auto &a, const auto &b) { return !a.expired() && a.lock() == b.lock(); };
    return isOne(before, other.before) && isOne(after, other.after) && module == other.module;
}

StepPatterns::StepPatterns(const Stepping &stepping, QObject *parent) : QObject(parent), m_stepping(stepping) { }

QString StepPatterns::textOf(std::size_t position)
{
    if (position == 0)
        return {};
    const auto &history = m_stepping.history();
    const Key key{history->modelAfter(position - 1), history->modelAfter(position), m_stepping.display().scope()};
    if (const auto known = m_known.find(position); known != m_known.end() && known->second.key.isSame(key))
        return known->second.text;
    if (sizeOf(history->steps()[position - 1].nodes) <= mostAtOnce)
        return m_known.insert_or_assign(position, Known{key, patternsText(*history, position, key.module)})
            .first->second.text;
    if (m_asked && m_asked->isSame(key))
        return {};
    m_asked = key;
    m_work.request([this, history, position, key](const std::stop_token &) -> LatestWork::Finish {
        return [this, position, key, text = patternsText(*history, position, key.module)] {
            m_asked.reset();
            m_known.insert_or_assign(position, Known{key, text});
            emit found(position);
        };
    });
    return {};
}

} // namespace cutaway::views
