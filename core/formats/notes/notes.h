// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"
#include "core/ir/node_ref.h"

#include <map>
#include <string>
#include <string_view>

namespace cutaway::formats {

/// The diagnostics of one import. Only the first few of each kind are kept, and the others counted: a file can have
/// the same fault ten thousand times.
class Notes {
public:
    explicit Notes(ir::Model &model) : m_model(model) { }

    void info(std::string_view code, std::string message);
    void warning(std::string_view code, std::string message);
    void error(std::string_view code, std::string message);
    /// Adds "and 5 more of this kind" for notes beyond the limit. Call once, at the end.
    void finish();

private:
    void add(ir::Severity severity, std::string_view code, std::string message);

    ir::Model &m_model;
    std::map<std::string, std::pair<ir::Severity, int>, std::less<>> m_seen;
};

/// Returns a name from the file for a message: in quotes, control characters escaped, truncated if it is very long.
std::string shown(std::string_view name);
/// Returns the name of a node for a message: "onnx::Gemm node fc1".
std::string shown(const ir::NodeRef &node);

} // namespace cutaway::formats
