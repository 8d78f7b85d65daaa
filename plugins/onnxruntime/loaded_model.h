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

/// The file that ONNX Runtime makes of one at a level of optimization. Errors: those of LoadedModel::load().
Result<std::string> optimized(const std::string &bytes, const std::string &level);

/// A model in a session of ONNX Runtime.
class LoadedModel {
public:
    /// `bytes`: the model's file where `load` names none. Errors: Usage for what is asked wrongly, Unreadable where
    /// there is no such file or it is no ONNX, Backend where ONNX Runtime cannot run it.
    static Result<LoadedModel> load(protocol::Load load, std::string bytes);

    /// The same once more; each run leaves what its nodes took in a file, whose name begins like this.
    Result<LoadedModel> profiling(const std::string &prefix) const;
    /// The same, and what runs take of memory comes from the allocator of the environment, when it is needed.
    Result<LoadedModel> counting(const std::string &prefix) const;
    /// When the profiler's clock began to count: nanoseconds of std::chrono::high_resolution_clock.
    std::int64_t profilingStart() const;
    /// Ends that, and gives the file.
    std::string endProfiling();

    const protocol::Load &request() const { return m_load; }
    /// How many threads compute a run; 0 where neither the request nor the system tell.
    std::uint64_t threads() const { return m_threads; }

    std::vector<std::string> inputNames() const;
    std::vector<std::string> outputNames() const;

    /// The wanted results, all if none is named. Errors: Backend, what ONNX Runtime says; Cancelled.
    Result<std::vector<Ort::Value>> run(std::span<NamedInput> inputs, std::vector<std::string> wanted,
                                        std::stop_token stop);

private:
    LoadedModel(protocol::Load load, std::string bytes, Ort::Session session, std::uint64_t threads)
        : m_load(std::move(load)),
          m_bytes(std::move(bytes)),
          m_session(std::move(session)),
          m_threads(threads)
    {
    }
    static Result<LoadedModel> open(protocol::Load load, std::string bytes, const std::optional<std::string> &prefix,
                                    bool counts = false);

    protocol::Load m_load;
    std::string m_bytes;
    Ort::Session m_session;
    std::uint64_t m_threads;
};

} // namespace cutaway::plugins
