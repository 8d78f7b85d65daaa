// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/backend.h"
#include "core/protocol/supports.h"

#include <onnxruntime_cxx_api.h>
#include <optional>
#include <stop_token>

namespace cutaway::plugins {

/// An input to run a model with.
struct NamedInput {
    std::string name;
    protocol::Tensor tensor;
};

/// Returns the inputs of a request; random ones are generated. Errors: tensors of the message are inconsistent.
Result<std::vector<NamedInput>> inputsOf(std::span<const protocol::ModelInput> inputs, std::string_view payload);

/// Optimizes a model at a level, and returns the file that ONNX Runtime writes. Errors: those of LoadedModel::load().
Result<std::string> optimized(const std::string &bytes, const std::string &level);

/// Returns whether ONNX Runtime has a kernel for each node of a model, which it looks up when it loads the model.
protocol::Supports::Verdict verdictOn(std::string_view model, const std::string &device);

/// A model in an ONNX Runtime session.
class LoadedModel {
public:
    /// Loads a model. `bytes`: the model's file, if `load` names none. Errors: Usage for invalid options, Unreadable if
    /// the file is missing or not ONNX, Backend if ONNX Runtime cannot run it.
    static Result<LoadedModel> load(protocol::Load load, std::string bytes);

    /// Makes a second session of the model with profiling: runs are recorded in a file whose name begins with `prefix`.
    /// Errors: those of load().
    Result<LoadedModel> profiling(const std::string &prefix) const;
    /// Makes a session as profiling() does, which in addition takes the memory for each run from the environment's
    /// allocator. Errors: those of load().
    Result<LoadedModel> counting(const std::string &prefix) const;
    /// Returns the start of the profiler's clock: nanoseconds of std::chrono::high_resolution_clock.
    std::int64_t profilingStart() const;
    /// Ends profiling, and returns the name of the file.
    std::string endProfiling();

    const protocol::Load &request() const { return m_load; }
    /// Returns the number of threads that compute a run; 0 if neither the request nor the system states it.
    std::uint64_t threads() const { return m_threads; }

    std::vector<std::string> inputNames() const;
    std::vector<std::string> outputNames() const;

    /// Computes the wanted outputs, all if `wanted` is empty. Errors: Backend with ONNX Runtime's message; Cancelled.
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
    /// Opens a session. `isOfBytes`: `bytes` is read although `load` names a file, and weights are looked for beside
    /// that file. Errors: those of load().
    static Result<LoadedModel> open(protocol::Load load, std::string bytes, const std::optional<std::string> &prefix,
                                    bool counts = false, bool isOfBytes = false);
    /// Opens a session with profiling, for profiling() and counting(). Errors: those of load().
    Result<LoadedModel> profiled(const std::string &prefix, bool counts) const;

    protocol::Load m_load;
    std::string m_bytes;
    Ort::Session m_session;
    std::uint64_t m_threads;
};

} // namespace cutaway::plugins
