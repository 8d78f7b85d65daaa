// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"
#include "core/ir/node_ref.h"

#include <map>
#include <string>
#include <string_view>

namespace cutaway::formats {

/// The diagnostics of one import. Of each kind only the first few are kept, the rest is counted: a file can be wrong
/// ten thousand times in the same way.
class Notes {
public:
    explicit Notes(ir::Model &model) : m_model(model) { }

    void info(std::string_view code, std::string message);
    void warning(std::string_view code, std::string message);
    void error(std::string_view code, std::string message);
    /// Adds "… and 5 more" for what was left out. Call once, at the end.
    void finish();

private:
    void add(ir::Severity severity, std::string_view code, std::string message);

    ir::Model &m_model;
    std::map<std::string, std::pair<ir::Severity, int>, std::less<>> m_seen;
};

/// A name of the file for a message: quoted, control characters escaped, cut when very long.
std::string shown(std::string_view name);
/// "onnx::Gemm node fc1"
std::string shown(const ir::NodeRef &node);

} // namespace cutaway::formats
