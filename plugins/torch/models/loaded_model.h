// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/backend.h"
#include "plugins/torch/run.h"

#include <memory>
#include <span>

namespace cutaway::plugins {

struct NamedType {
    std::string name;
    c10::TypePtr type;
};

/// A model that torch can run.
class LoadedModel {
public:
    LoadedModel() = default;
    LoadedModel(const LoadedModel &) = delete;
    LoadedModel &operator=(const LoadedModel &) = delete;
    virtual ~LoadedModel() = default;

    /// Loads the graph in the form that Cutaway has, to run it node by node; or a TorchScript file for TorchScript's
    /// own interpreter. `payload`: the model if `load` names no path. Errors: Usage for invalid options, Unreadable for
    /// the file, Backend for what torch cannot run.
    static Result<std::unique_ptr<LoadedModel>> load(const protocol::Load &load, const std::string &payload);

    virtual c10::Device device() const = 0;
    virtual std::span<const NamedType> inputs() const = 0;
    virtual std::span<const std::string> outputs() const = 0;
    /// Takes one value per input, returns one per output. The observer is called for nodes if these are known. Errors:
    /// Backend with torch's message; Cancelled.
    virtual Result<Values> run(Values inputs, const std::stop_token &stop, Observer *observer) = 0;
    /// The graph; null if TorchScript's interpreter runs the model.
    virtual const Program *program() const { return nullptr; }
};

/// Errors (Usage): torch has no such device, or it is not available.
Result<c10::Device> parseDevice(const std::string &text);

/// Errors: Usage: a graph that is not sound, no such function, files that do not belong to it; Unreadable: no file, or
/// none in Cutaway's JSON; those of Program::make().
Result<std::unique_ptr<LoadedModel>> loadGraph(const protocol::Load &load, const std::string &payload,
                                               c10::Device device);
/// Errors (Unreadable): torch cannot load the file.
Result<std::unique_ptr<LoadedModel>> loadScript(const protocol::Load &load, const std::string &payload,
                                                c10::Device device);

} // namespace cutaway::plugins
