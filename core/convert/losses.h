// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/convert/convert.h"
#include "core/ir/node_ref.h"

#include <map>

namespace cutaway::convert {

/// Returns the node's name, its module, and its source position as one text.
std::string placeOf(const ir::NodeRef &node);

/// Whether a node of TorchScript enters torch.autocast, which casts the operands of the nodes after it.
bool entersAutocast(const ir::NodeRef &node);

/// Collects what a conversion does not keep of its source, each message once.
class Losses {
public:
    /// `converted`, which has to outlive the object, gets the missing parts and the notes.
    explicit Losses(Converted &converted) : m_converted(converted) { }

    /// Adds a sentence for the user.
    void note(std::string_view sentence);
    /// Adds the place of a node or result that could not be expressed.
    void miss(const std::string &op, const std::string &reason, std::string place);
    /// Notes that nodes are left out which check, warn, print or enter a context: they have no results that anything
    /// needs.
    void noteEffects(const ir::Graph &graph);

private:
    Converted &m_converted;
    /// By operator and reason: the index in Converted::missing.
    std::map<std::pair<std::string, std::string>, std::size_t> m_missing;
};

} // namespace cutaway::convert
