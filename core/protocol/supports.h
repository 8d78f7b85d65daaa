// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/methods.h"

#include <optional>

/// The request that asks which nodes a backend supports, declared in the style of methods.h.
namespace cutaway::protocol {

/// (optional) Asks whether the backend supports nodes; nothing is run. The payload has a model for each node, one after
/// the other. Such a model consists of the node alone, and its weights are inputs.
struct Supports {
    static constexpr std::string_view method = "supports";
    std::string form = {};                   ///< the form of these models, one of the backend's `runs`
    std::string device = "cpu";              ///< an id that Devices returns
    std::vector<std::uint64_t> lengths = {}; ///< the number of bytes of each model
    struct Verdict {
        std::optional<bool> takes = {}; ///< whether the backend supports the node; nothing: it does not know
        std::string reason = {};        ///< why it is not supported, or why the backend does not know
    };
    struct Result {
        std::vector<Verdict> verdicts = {}; ///< one for each model
    };
};

/// Returns the models in the payload. Errors (Usage): it is shorter than the lengths say.
Result<std::vector<std::string_view>> modelsOf(const Supports &request, std::string_view payload);

} // namespace cutaway::protocol
