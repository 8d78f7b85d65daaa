// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/methods.h"

#include <optional>

/// The question which nodes a backend takes, declared in the style of methods.h.
namespace cutaway::protocol {

/// (optional) Asks whether the backend has what nodes need; nothing is run. The payload has a model of each node alone,
/// one after the other, whose weights are inputs.
struct Supports {
    static constexpr std::string_view method = "supports";
    std::string form = {};                   ///< the form of these models, one of the backend's `runs`
    std::string device = "cpu";              ///< an id that Devices returns
    std::vector<std::uint64_t> lengths = {}; ///< each model's bytes
    struct Verdict {
        std::optional<bool> takes = {}; ///< nothing: the backend does not know
        std::string reason = {};        ///< why not, or why it does not know
    };
    struct Result {
        std::vector<Verdict> verdicts = {}; ///< one for each model
    };
};

/// The models of the payload. Errors (Usage): it is shorter than they are.
Result<std::vector<std::string_view>> modelsOf(const Supports &request, std::string_view payload);

} // namespace cutaway::protocol
