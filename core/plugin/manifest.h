// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/passes/pass.h"
#include "core/plugin/process.h"
#include "core/protocol/message.h"

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace cutaway::ir {
class JsonReader;
}

namespace cutaway::plugin {

/// An option of a plugin's pass, like passes::Option.
struct PassOption {
    std::string name;
    std::string description;
    passes::OptionValue defaultValue;      ///< the default value; also decides the option's type
    std::vector<std::string> choices = {}; ///< the allowed values; empty: any
    bool operator==(const PassOption &) const = default;
};

/// A pass of a plugin, as its manifest describes it.
struct PassOffer {
    std::string name; ///< the name without that of the plugin
    std::string description;
    std::vector<PassOption> options;
    std::string format = {}; ///< the file format that the pass reads and writes; "" for the model as JSON
    bool operator==(const PassOffer &) const = default;
};

/// A kind of file that a plugin reads.
struct ImporterOffer {
    std::string description;           ///< "NumPy arrays"
    std::vector<std::string> suffixes; ///< ".npz"
    bool operator==(const ImporterOffer &) const = default;
};

/// A runtime that a plugin runs models with.
struct BackendOffer {
    std::string description;
    /// The model forms it accepts, the preferred one first: a file of a format ("onnx", "torchscript") or the graph as
    /// JSON ("ir").
    std::vector<std::string> runs;
    /// Further ways in which the runtime runs models, such as "compile"; each is a backend of its own, "NAME/compile".
    std::vector<std::string> engines = {};
    bool givesValues = false; ///< whether the runtime also returns values of a file's nodes, by name
    bool operator==(const BackendOffer &) const = default;
};

/// A plugin's description in its `plugin.json`, read without starting it; docs/plugins.md lists the members.
struct Manifest {
    std::filesystem::path folder; ///< the folder of `plugin.json`
    std::string name;
    std::string version;
    std::string description;
    /// The command, where "${plugin}" is replaced by the plugin's folder, "${python}" by the user's Python.
    std::vector<std::string> command;
    std::vector<PassOffer> passes;
    bool asksForPasses = false; ///< whether the plugin is asked for its list of passes
    std::vector<ImporterOffer> importers;
    std::optional<BackendOffer> backend;
    Limits limits;
    /// The limit for the answer to a request; nothing: the default.
    std::optional<std::chrono::milliseconds> answerLimit;
    protocol::Json settings = protocol::Json::object(); ///< settings that are passed to the plugin as they are
    bool operator==(const Manifest &) const = default;
};

inline constexpr const char *manifestName = "plugin.json";
/// The word of a command that is replaced by the plugin's folder.
inline constexpr const char *folderWord = "${plugin}";
/// The memory limit in bytes of a plugin whose manifest has none. A plugin with a backend is unlimited then.
inline constexpr std::uint64_t defaultMemoryLimit = 4ull << 30;

/// Reads the "answer_seconds" of a plugin's limits or of a target: whole seconds that an answer may take.
std::optional<std::chrono::milliseconds> readAnswerLimit(ir::JsonReader &reader, const protocol::Json &json);

/// Parses passes from a manifest or a plugin's answer. Errors name what was found and what was expected.
Result<std::vector<PassOffer>> readPasses(const protocol::Json &passes);

/// Reads the manifest in a folder. Errors: the file is missing or not JSON; what was found and what was expected;
/// another version of the protocol.
Result<Manifest> readManifest(const std::filesystem::path &folder);

} // namespace cutaway::plugin
