// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QUndoCommand>
#include <functional>

namespace cutaway::views {

/// A user's change of a value, which is done and undone by calling `set` with the value. Changes with the same `topic`
/// that follow each other within a second, as while a number is typed, are undone together. A topic is 0 or more and
/// must not be used with another T; -1 means that nothing is joined.
template <class T>
class Edit : public QUndoCommand {
public:
    using Set = std::function<void(const T &)>;

    Edit(const QString &text, T before, T after, Set set, int topic = -1)
        : QUndoCommand(text),
          m_before(std::move(before)),
          m_after(std::move(after)),
          m_set(std::move(set)),
          m_topic(topic)
    {
        m_made.start();
    }

    void undo() override { m_set(m_before); }
    void redo() override { m_set(m_after); }
    int id() const override { return m_topic; }
    bool mergeWith(const QUndoCommand *later) override
    {
        constexpr qint64 closeMs = 1000;
        const auto &edit = static_cast<const Edit &>(*later);
        if (m_made.msecsTo(edit.m_made) > closeMs)
            return false;
        m_after = edit.m_after;
        m_made = edit.m_made;
        return true;
    }

private:
    T m_before, m_after;
    Set m_set;
    int m_topic;
    QElapsedTimer m_made;
};

} // namespace cutaway::views
