// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/protocol/backend.h"

#include <map>
#include <string>

namespace cutaway::plugins {

/// The models that the client has loaded, by id.
template <typename Model>
class Loaded {
public:
    protocol::LoadedId add(Model model)
    {
        const protocol::LoadedId id{++m_count};
        m_models.emplace(id, std::move(model));
        return id;
    }

    /// Returns the model with this id. Errors (Usage): there is none.
    Result<Model *> find(protocol::LoadedId id)
    {
        const auto found = m_models.find(id);
        if (found == m_models.end())
            return std::unexpected(
                Error{ErrorKind::Usage, "there is no model " + std::to_string(id.number) + " loaded", {}});
        return &found->second;
    }

    /// Frees a model. Errors: those of find().
    Result<protocol::Unload::Result> unload(const protocol::Unload &request)
    {
        return find(request.model).transform([&](const Model *) {
            m_models.erase(request.model);
            return protocol::Unload::Result();
        });
    }

private:
    std::map<protocol::LoadedId, Model> m_models;
    std::uint64_t m_count = 0;
};

} // namespace cutaway::plugins
