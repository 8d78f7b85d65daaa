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

/// An option of a plugin's pass, as passes::Option.
struct PassOption {
    std::string name;
    std::string description;
    passes::OptionValue defaultValue;      ///< the default value; also decides the option's type
    std::vector<std::string> choices = {}; ///< the allowed values; empty: any
    bool operator==(const PassOption &) const = default;
};

/// A pass of a plugin, as its manifest describes it.
struct PassOffer {
    std::string name; ///< without the plugin's name
    std::string description;
    std::vector<PassOption> options;
    std::string format = {}; ///< the file format that it works on; "": the model as JSON
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
    std::vector<std::string> engines = {}; ///< further ways to run them, as "compile"; the backend is "NAME/compile"
    bool givesValues = false;              ///< for a file it returns values of nodes, too, by their names
    bool operator==(const BackendOffer &) const = default;
};

/// A plugin's description in its `plugin.json`, read without starting it; docs/plugins.md lists the members.
struct Manifest {
    std::filesystem::path folder; ///< the folder of `plugin.json`
    std::string name;
    std::string version;
    std::string description;
    std::vector<std::string>
        command; ///< "${plugin}" is replaced by the plugin's folder, "${python}" by the user's Python
    std::vector<PassOffer> passes;
    bool asksForPasses = false; ///< the passes are listed by the plugin when it is asked
    std::vector<ImporterOffer> importers;
    std::optional<BackendOffer> backend;
    Limits limits;
    std::optional<std::chrono::milliseconds> answerLimit; ///< for the answer to a request
    protocol::Json settings = protocol::Json::object();   ///< passed to the plugin unread
    bool operator==(const Manifest &) const = default;
};

inline constexpr const char *manifestName = "plugin.json";
/// In a command: replaced by the plugin's folder.
inline constexpr const char *folderWord = "${plugin}";
/// Bytes, for plugins whose manifest has no limit; plugins with a backend are then unlimited.
inline constexpr std::uint64_t defaultMemoryLimit = 4ull << 30;

/// The "answer_seconds" of a plugin's limits or of a target: whole seconds that the answer to a request may take.
std::optional<std::chrono::milliseconds> readAnswerLimit(ir::JsonReader &reader, const protocol::Json &json);

/// Parses passes from a manifest or a plugin's answer. Errors: what was found and what was expected.
Result<std::vector<PassOffer>> readPasses(const protocol::Json &passes);

/// Errors: the file is missing or not JSON; what was found and what was expected; another version of the protocol.
Result<Manifest> readManifest(const std::filesystem::path &folder);

} // namespace cutaway::plugin
