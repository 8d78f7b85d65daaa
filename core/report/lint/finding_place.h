// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/node_ref.h"
#include "core/lint/lint.h"

#include <optional>
#include <string>

namespace cutaway::report {

/// The location of a finding in a model; texts that do not apply are empty.
struct FindingPlace {
    std::string function; ///< "forward"
    std::optional<ir::NodeRef> node;
    std::string name;  ///< the name of the node or value
    std::string op;    ///< "aten::conv2d"
    std::string scope; ///< path of the module call: "layer1.0.conv1"
    std::string sourceFile;
    std::uint32_t sourceLine = 0; ///< the line of the source; 0: unknown

    std::string source() const; ///< returns "net.py:12"; "" if the source is not known
    /// Returns "forward/layer1.0.conv1/conv2d_1".
    std::string qualifiedName() const;
};
FindingPlace placeOf(const ir::Model &model, const lint::Finding &finding);

} // namespace cutaway::report
