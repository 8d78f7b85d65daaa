// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/base/temporary_folder.h"
#include "core/ir/model.h"

#include <memory>
#include <mutex>
#include <string>

namespace cutaway::python {

/// A model that Python objects share.
struct SharedModel {
    std::shared_ptr<const ir::Model> model;
    /// Guards the context that all models made from this one share, since only one thread may add to it.
    std::shared_ptr<std::timed_mutex> mutex = std::make_shared<std::timed_mutex>();
    std::string file;                                        ///< the file that errors are about
    bool isOfFile = false;                                   ///< whether the model is as it was read from `file`
    std::shared_ptr<const TemporaryFolder> folder = nullptr; ///< the folder of weights that are read on demand, or null

    const ir::Model &operator*() const { return *model; }
    const ir::Model *operator->() const { return model.get(); }
    /// Returns `state` as a model with the same context.
    SharedModel with(ir::Model state) const
    {
        return {std::make_shared<const ir::Model>(std::move(state)), mutex, file, false, folder};
    }
};

/// Locks a model's mutex while a thread adds to its context. `isHeld` is false if the task was cancelled before.
class ContextLock {
public:
    ContextLock(const SharedModel &model, const Task &task);
    bool isHeld() const { return m_lock.owns_lock(); }

private:
    std::unique_lock<std::timed_mutex> m_lock;
};

} // namespace cutaway::python
