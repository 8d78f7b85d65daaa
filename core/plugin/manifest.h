// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/passes/pass.h"
#include "core/plugin/process.h"
#include "core/protocol/message.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace cutaway::plugin {

struct PassOption {
    std::string name;
    std::string description;
    passes::OptionValue defaultValue;      ///< its value where nobody gives one; its type too
    std::vector<std::string> choices = {}; ///< the words it may be; empty: any
    bool operator==(const PassOption &) const = default;
};

struct PassOffer {
    std::string name; ///< without the plugin's
    std::string description;
    std::vector<PassOption> options;
    std::string format = {}; ///< of the file that it changes; "": it takes the model as JSON
    bool operator==(const PassOffer &) const = default;
};

struct ImporterOffer {
    std::string description;           ///< "safetensors weights"
    std::vector<std::string> suffixes; ///< ".safetensors"
    bool operator==(const ImporterOffer &) const = default;
};

struct BackendOffer {
    std::string description;
    /// What it is given: the file of a format ("onnx", "torchscript") or the graph as it is ("ir"); what it does best
    /// first.
    std::vector<std::string> runs;
    bool operator==(const BackendOffer &) const = default;
};

/// What a plugin says of itself in its `plugin.json`, without being started; docs/plugins.md has the members.
struct Manifest {
    std::filesystem::path folder; ///< where the file lies
    std::string name;
    std::string version;
    std::string description;
    std::vector<std::string> command; ///< "${plugin}" in a word stands for the plugin's folder
    std::vector<PassOffer> passes;
    bool asksForPasses = false; ///< the plugin itself tells which it has
    std::vector<ImporterOffer> importers;
    std::optional<BackendOffer> backend;
    Limits limits;
    protocol::Json settings = protocol::Json::object(); ///< for the plugin alone
    bool operator==(const Manifest &) const = default;
};

inline constexpr const char *manifestName = "plugin.json";
/// In a word of a command: the plugin's folder.
inline constexpr const char *folderWord = "${plugin}";
/// Of a plugin that says nothing; one with a backend has no limit then.
inline constexpr std::uint64_t usualMemoryLimit = 4ull << 30;

/// Passes as a manifest or a plugin tells them. Errors: what was found and wanted.
Result<std::vector<PassOffer>> readPasses(const protocol::Json &passes);

/// Errors: there is no such file, it is no JSON, what was found and wanted; another version of the protocol.
Result<Manifest> readManifest(const std::filesystem::path &folder);

} // namespace cutaway::plugin
