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

    /// The graph as Cutaway knows it, node by node; or TorchScript's own interpreter, of a TorchScript file. `payload`:
    /// the model, where `load` names no path. Errors: Usage for what is asked wrongly, Unreadable for the file, Backend
    /// for what torch cannot run.
    static Result<std::unique_ptr<LoadedModel>> load(const protocol::Load &load, const std::string &payload);

    virtual c10::Device device() const = 0;
    virtual std::span<const NamedType> inputs() const = 0;
    virtual std::span<const std::string> outputs() const = 0;
    /// One value per input; as many as there are outputs. An observer is told of nodes if these are known. Errors:
    /// Backend, what torch says; Cancelled.
    virtual Result<Values> run(Values inputs, const std::stop_token &stop, Observer *observer) = 0;
    /// The graph, if there is one.
    virtual const Program *program() const { return nullptr; }
};

/// Errors (Usage): torch has no such device, or it is not there.
Result<c10::Device> parseDevice(const std::string &text);

Result<std::unique_ptr<LoadedModel>> loadGraph(const protocol::Load &load, const std::string &payload,
                                               c10::Device device);
Result<std::unique_ptr<LoadedModel>> loadScript(const protocol::Load &load, const std::string &payload,
                                                c10::Device device);

} // namespace cutaway::plugins
