// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/node_ref.h"
#include "core/lint/lint.h"

#include <optional>
#include <string>

namespace cutaway::report {

/// The location of a finding in a model; texts are empty where it has none.
struct FindingPlace {
    std::string function; ///< "forward"
    std::optional<ir::NodeRef> node;
    std::string name;  ///< the name of the node or value
    std::string op;    ///< "aten::conv2d"
    std::string scope; ///< path of the module call: "layer1.0.conv1"
    std::string sourceFile;
    std::uint32_t sourceLine = 0; ///< 0: unknown

    std::string source() const; ///< "net.py:12"
    /// "forward/layer1.0.conv1/conv2d_1"
    std::string qualifiedName() const;
};
FindingPlace placeOf(const ir::Model &model, const lint::Finding &finding);

} // namespace cutaway::report
