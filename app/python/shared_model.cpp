// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/python/shared_model.h"

#include <chrono>

namespace cutaway::python {

ContextLock::ContextLock(const SharedModel &model, const Task &task) : m_lock(*model.mutex, std::defer_lock)
{
    constexpr std::chrono::milliseconds pause{50};
    while (!task.stopRequested() && !m_lock.try_lock_for(pause)) { }
}

} // namespace cutaway::python
