// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/onnx/numbered_boxes.h"
#include "core/formats/onnx/tensors.h"

#include <boost/unordered/unordered_flat_map.hpp>
#include <optional>
#include <span>
#include <vector>

namespace cutaway::formats::onnx {

/// Metadata keys of a node under which torch's exporter lists the node's modules: Python lists of paths and of
/// classes.
inline constexpr std::string_view nameScopesKey = "pkg.torch.onnx.name_scopes";
inline constexpr std::string_view classesKey = "pkg.torch.onnx.class_hierarchy";

/// Finds the module scopes of the nodes of a graph and its subgraphs from names and metadata that exporters write. Sets
/// the class of a module of the model if the metadata has it.
class ScopeReader {
public:
    explicit ScopeReader(ir::Model &model) : m_model(model) { }

    /// Returns the scope of a node. `outer`, the scope of the node whose subgraph this node is in, is used if the
    /// node itself names no module.
    ir::ScopeId scope(std::string_view nodeName, std::span<const Text> metadata, ir::ScopeId outer);

    /// Returns those module calls, among the scopes that scope() has returned, that only a number in the name
    /// distinguishes from others.
    const NumberedBoxes &numberedBoxes() const { return m_numberedBoxes; }

    /// Whether scope() reads this metadata key.
    static bool reads(std::string_view key);

private:
    struct Scope {
        ir::ScopeId scope;
        std::string_view component; ///< as the name contains it: "layer1.0"
    };

    std::optional<ir::ScopeId> fromMetadata(std::span<const Text> metadata);
    ir::ScopeId fromModules(std::span<const std::string> paths, std::span<const std::string> classes);
    void noteClass(std::string_view path, std::string_view className);
    std::optional<ir::ScopeId> fromName(std::string_view nodeName);
    Scope scopeOf(std::string_view prefix);
    Scope child(const Scope &parent, std::string_view parentPrefix, std::string_view component);
    bool isRepeatedCall(ir::ScopeId parent, std::string_view parentPrefix, std::string_view base,
                        std::string_view name) const;

    ir::Model &m_model;
    boost::unordered_flat_map<std::string_view, Scope> m_byPrefix;
    boost::unordered_flat_map<std::string, ir::ScopeId> m_byMetadata;
    NumberedBoxes m_numberedBoxes;
    std::string_view m_lastPrefix;
    ir::ScopeId m_lastScope;
};

} // namespace cutaway::formats::onnx
