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

    /// Loads a graph in Cutaway's form, to run it node by node, or a TorchScript file for TorchScript's own
    /// interpreter. `payload`: the model, if `load` names no path. Errors: Usage for invalid options, Unreadable for
    /// the file, Backend for what torch cannot run.
    static Result<std::unique_ptr<LoadedModel>> load(const protocol::Load &load, const std::string &payload);

    virtual c10::Device device() const = 0;
    virtual std::span<const NamedType> inputs() const = 0;
    virtual std::span<const std::string> outputs() const = 0;
    /// Runs the model on one value per input, and returns one value per output. The observer is called for each node if
    /// the nodes are known. Errors: Backend with torch's message; Cancelled.
    virtual Result<Values> run(Values inputs, const std::stop_token &stop, Observer *observer) = 0;
    /// Returns the graph; nullptr if TorchScript's interpreter runs the model.
    virtual const Program *program() const { return nullptr; }
};

/// Parses the name of a device. Errors (Usage): torch has no such device, or it is not available.
Result<c10::Device> parseDevice(const std::string &text);

/// Loads a graph. Errors: Usage: the graph is invalid, it has no such function, or files do not belong to it;
/// Unreadable: the file is missing, or is not in Cutaway's JSON; those of Program::make().
Result<std::unique_ptr<LoadedModel>> loadGraph(const protocol::Load &load, const std::string &payload,
                                               c10::Device device);
/// Loads a TorchScript file. Errors (Unreadable): torch cannot load it.
Result<std::unique_ptr<LoadedModel>> loadScript(const protocol::Load &load, const std::string &payload,
                                                c10::Device device);

} // namespace cutaway::plugins
