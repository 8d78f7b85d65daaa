// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/json/json.h"
#include "core/ir/text/text.h"
#include "tests/plugins/conversation.h"

namespace cutaway::protocol {

/// As the manifest has it started: messages go out through another descriptor than what libraries print.
inline Conversation torchPlugin() { return Conversation({"sh", "-c", R"(exec "$0" 3 3>&1 1>&2)", CUTAWAY_PLUGIN}); }

inline std::string jsonOf(const std::string &graph, const std::string &header = {})
{
    const auto model = ir::parseText("model \"m\"\n" + header + "graph @forward" + graph + "\n");
    EXPECT_TRUE(model) << (model ? "" : model.error().text()) << "\n" << graph;
    return model ? ir::printJson(*model) : std::string();
}

} // namespace cutaway::protocol
