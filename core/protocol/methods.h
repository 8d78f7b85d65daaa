// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/message.h"

#include <string>
#include <string_view>
#include <vector>

/// What Cutaway and its plugins say to each other, for both sides; docs/plugins.md tells it by example.
///
/// Cutaway asks, one request after the other; a plugin answers, and may send Log and Progress meanwhile. A method is a
/// struct of its parameters, with its name and the struct of its result. What is not there reads as empty, members that
/// are not known are left alone. So members may be added without another version; a changed meaning needs one.
///
/// Requests that a plugin need not know are marked (optional): it answers MethodNotFound.
namespace cutaway::protocol {

inline constexpr int version = 1;

/// The first request. A plugin that speaks another version answers with its own and does nothing more.
struct Initialize {
    static constexpr std::string_view method = "initialize";
    int protocol = version;
    std::string program = {};       ///< who asks: "cutaway 0.1.0"
    Json settings = Json::object(); ///< of the plugin, as in its manifest
    struct Result {
        int protocol = 0;
        std::string name = {};
        std::string version = {};
    };
};

/// Whether the plugin is there and listens.
struct Ping {
    static constexpr std::string_view method = "ping";
    struct Result { };
};

/// The last request; the plugin answers and ends.
struct Shutdown {
    static constexpr std::string_view method = "shutdown";
    struct Result { };
};

/// (optional) The devices that a backend can use.
struct Devices {
    static constexpr std::string_view method = "devices";
    struct Device {
        std::string id = {};      ///< "cuda:0", as other requests name it
        std::string name = {};    ///< "NVIDIA H100 80GB HBM3"
        std::uint64_t memory = 0; ///< bytes; 0: not known
    };
    struct Result {
        std::vector<Device> devices = {};
    };
};

/// (optional) The passes of a plugin whose manifest says "ask": those that its library has.
struct Passes {
    static constexpr std::string_view method = "passes";
    struct Result {
        Json passes = Json::array(); ///< as they would stand in the manifest
    };
};

/// (optional) Changes a model by one of the passes of the manifest. The payload is the model (ir/json.h), that of the
/// response the changed one: nodes that stay keep their ids, new ones take ids above and name their origins. Of a pass
/// with a `format` both are files of that format, and what is called the same is the same.
struct Transform {
    static constexpr std::string_view method = "transform";
    std::string pass = {};
    Json options = Json::object(); ///< all that the manifest has, with their values
    std::string function = {};     ///< the one to change
    struct Result { };
};

/// (optional) Reads a file. The payload of the response is the model (ir/json.h), whose weights are ranges of files.
struct Import {
    static constexpr std::string_view method = "import";
    std::string path = {}; ///< absolute
    struct Result { };
};

/// Notification: stop working on a request, and answer it with RequestCancelled or with what is there.
struct Cancel {
    static constexpr std::string_view method = "cancel";
    RequestId id;
};

/// Notification of the plugin: something for people who look for a fault.
struct Log {
    static constexpr std::string_view method = "log";
    std::string message = {};
};

/// Notification of the plugin: how far the running request is. 0 of 0: not known.
struct Progress {
    static constexpr std::string_view method = "progress";
    std::string what = {};
    std::uint64_t done = 0;
    std::uint64_t total = 0;
};

/// The params or result of a message. T is one of the structs above, results included.
template <class T>
Json print(const T &value);

/// Errors (Backend): the member, what was found and what was wanted.
template <class T>
Result<T> parse(const Json &json);

} // namespace cutaway::protocol
