// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/message.h"

#include <string>
#include <string_view>
#include <vector>

/// The protocol between Cutaway and its plugins, for both sides; docs/plugins.md shows examples.
/// Cutaway sends one request at a time; the plugin answers it and may send Log and Progress meanwhile. A method is a
/// struct of its parameters with its name and a struct for its result. A missing member reads as empty, an unknown one
/// is ignored: so adding members keeps the version, and changing a meaning needs a new one.
/// Requests that a plugin need not implement are marked (optional): it answers MethodNotFound.
namespace cutaway::protocol {

inline constexpr int version = 1;

/// The first request. A plugin of another protocol version answers with its version and does nothing more.
struct Initialize {
    static constexpr std::string_view method = "initialize";
    int protocol = version;
    std::string program = {};       ///< name and version of the client: "cutaway 0.1.0"
    Json settings = Json::object(); ///< the plugin's settings from its manifest
    struct Result {
        int protocol = 0;
        std::string name = {};
        std::string version = {};
    };
};

/// Checks that the plugin responds.
struct Ping {
    static constexpr std::string_view method = "ping";
    struct Result { };
};

/// The last request; the plugin answers and exits.
struct Shutdown {
    static constexpr std::string_view method = "shutdown";
    struct Result { };
};

/// (optional) Lists the devices that a backend can use.
struct Devices {
    static constexpr std::string_view method = "devices";
    struct Device {
        std::string id = {};      ///< "cuda:0", as other requests name it
        std::string name = {};    ///< "NVIDIA H100 80GB HBM3"
        std::uint64_t memory = 0; ///< bytes; 0: unknown
    };
    struct Result {
        std::vector<Device> devices = {};
    };
};

/// (optional) Lists the passes of a plugin whose manifest has "ask" in place of a list.
struct Passes {
    static constexpr std::string_view method = "passes";
    struct Result {
        Json passes = Json::array(); ///< a list in the manifest's format
    };
};

/// (optional) Applies one of the plugin's passes to a model. The request's payload is the model (ir/json.h), the
/// response's the changed model: nodes that stay keep their ids; new nodes take higher ids and name their origins. For
/// a pass with a `format` both payloads are files of that format, and nodes and tensors are matched by name.
struct Transform {
    static constexpr std::string_view method = "transform";
    std::string pass = {};
    Json options = Json::object(); ///< all options of the manifest, with values
    std::string function = {};     ///< the function to change
    struct Result { };
};

/// (optional) Reads a model file. The response's payload is the model (ir/json.h), whose weights are byte ranges of
/// files.
struct Import {
    static constexpr std::string_view method = "import";
    std::string path = {}; ///< absolute
    struct Result { };
};

/// Notification: asks to stop a request, which is then answered with RequestCancelled or a partial result.
struct Cancel {
    static constexpr std::string_view method = "cancel";
    RequestId id;
};

/// Notification from the plugin: a line of its log.
struct Log {
    static constexpr std::string_view method = "log";
    std::string message = {};
};

/// Notification from the plugin: progress of the running request. 0 of 0: unknown.
struct Progress {
    static constexpr std::string_view method = "progress";
    std::string what = {};
    std::uint64_t done = 0;
    std::uint64_t total = 0;
};

/// Writes the params or result of a message. T is one of the structs above or its Result.
template <class T>
Json print(const T &value);

/// Reads the params or result of a message. Errors (Backend): the member's path, what was found and what was expected.
template <class T>
Result<T> parse(const Json &json);

} // namespace cutaway::protocol
