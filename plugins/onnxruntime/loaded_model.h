// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/backend.h"

#include <onnxruntime_cxx_api.h>
#include <optional>
#include <stop_token>

namespace cutaway::plugins {

/// What a model is run with.
struct NamedInput {
    std::string name;
    protocol::Tensor tensor;
};

/// Inputs of a request, those that are to be drawn made. Errors: the message's tensors do not fit.
Result<std::vector<NamedInput>> inputsOf(std::span<const protocol::ModelInput> inputs, std::string_view payload);

/// A model in a session of ONNX Runtime.
class LoadedModel {
public:
    /// `bytes`: the model's file where `load` names none. Errors: Usage for what is asked wrongly, Unreadable where
    /// there is no such file or it is no ONNX, Backend where ONNX Runtime cannot run it.
    static Result<LoadedModel> load(protocol::Load load, std::string bytes);

    /// The same once more; each run leaves what its nodes took in a file, whose name begins like this.
    Result<LoadedModel> profiling(const std::string &prefix) const;
    /// Ends that, and gives the file.
    std::string endProfiling();

    std::vector<std::string> inputNames() const;
    std::vector<std::string> outputNames() const;

    /// The wanted results, all if none is named. Errors: Backend, what ONNX Runtime says; Cancelled.
    Result<std::vector<Ort::Value>> run(std::span<NamedInput> inputs, std::vector<std::string> wanted,
                                        std::stop_token stop);

private:
    LoadedModel(protocol::Load load, std::string bytes, Ort::Session session)
        : m_load(std::move(load)),
          m_bytes(std::move(bytes)),
          m_session(std::move(session))
    {
    }
    static Result<LoadedModel> open(protocol::Load load, std::string bytes, const std::optional<std::string> &prefix);

    protocol::Load m_load;
    std::string m_bytes;
    Ort::Session m_session;
};

} // namespace cutaway::plugins
