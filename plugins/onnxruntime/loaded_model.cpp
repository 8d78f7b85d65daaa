// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/onnxruntime/loaded_model.h"

#include "core/base/mapped_file.h"
#include "core/base/overloaded.h"
#include "core/base/result.h"
#include "core/base/temporary_folder.h"
#include "plugins/onnxruntime/library.h"
#include "plugins/onnxruntime/node_naming.h"
#include "plugins/onnxruntime/providers.h"
#include "plugins/onnxruntime/values.h"
#include "plugins/server/machine.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <onnxruntime_session_options_config_keys.h>

namespace cutaway::plugins {

namespace {

using protocol::Load;

std::optional<GraphOptimizationLevel> levelOf(std::string_view name)
{
    static const std::map<std::string_view, GraphOptimizationLevel> levels{{"none", ORT_DISABLE_ALL},
                                                                           {"basic", ORT_ENABLE_BASIC},
                                                                           {"extended", ORT_ENABLE_EXTENDED},
                                                                           {"all", ORT_ENABLE_ALL}};
    const auto found = levels.find(name);
    return found == levels.end() ? std::nullopt : std::optional(found->second);
}

/// Returns the error for an exception. ONNX Runtime's messages may have several lines and name its own sources.
Error errorOf(const Ort::Exception &fault)
{
    const bool isFile = fault.GetOrtErrorCode() == ORT_NO_SUCHFILE || fault.GetOrtErrorCode() == ORT_INVALID_PROTOBUF;
    std::string message = fault.what();
    std::ranges::replace(message, '\n', ' ');
    return {isFile ? ErrorKind::Unreadable : ErrorKind::Backend, "ONNX Runtime: " + message, {}};
}

Result<Ort::SessionOptions> optionsOf(const Load &load)
{
    const auto level = levelOf(load.optimization);
    if (!level)
        return usageError("unknown optimization '" + load.optimization + "'; expected none, basic, extended or all");
    if (load.threads > std::numeric_limits<int>::max())
        return usageError("too many threads");
    Ort::SessionOptions options;
    options.SetGraphOptimizationLevel(*level);
    options.SetIntraOpNumThreads(static_cast<int>(load.threads));
    options.SetLogSeverityLevel(ORT_LOGGING_LEVEL_FATAL);
    for (const std::string &library : load.libraries)
        options.RegisterCustomOpsLibrary(library.c_str());
    CUTAWAY_RETURN_IF_ERROR(useDevice(options, load.device));
    return options;
}

std::vector<const char *> pointers(const std::vector<std::string> &names)
{
    std::vector<const char *> places;
    std::ranges::transform(names, std::back_inserter(places), &std::string::c_str);
    return places;
}

} // namespace

Result<std::vector<NamedInput>> inputsOf(std::span<const protocol::ModelInput> inputs, std::string_view payload)
{
    std::vector<NamedInput> named;
    for (const protocol::ModelInput &input : inputs) {
        auto tensor =
            std::visit(Overloaded{[&](const protocol::SentTensor &sent) { return receive(sent, payload); },
                                  [](const protocol::DrawnTensor &drawn) {
                                      return protocol::randomTensor(drawn.dtype, drawn.shape, drawn.seed, drawn.range);
                                  },
                                  [](const auto &) -> Result<protocol::Tensor> {
                                      return usageError("ONNX Runtime is given tensors alone");
                                  }},
                       input);
        const std::string &name = nameOf(input);
        if (!tensor)
            return usageError("input '" + name + "': " + tensor.error().message);
        named.push_back({name, std::move(*tensor)});
    }
    return named;
}

Result<std::string> optimized(const std::string &bytes, const std::string &level)
try {
    CUTAWAY_TRY(auto options, optionsOf({.optimization = level, .threads = 1}));
    CUTAWAY_TRY(const auto folder, TemporaryFolder::make());
    const std::filesystem::path path = folder.path() / "optimized.onnx";
    options.SetOptimizedModelFilePath(path.c_str());
    const Ort::Session session(environment(), bytes.data(), bytes.size(), options);
    CUTAWAY_TRY(const auto file, MappedFile::open(path));
    const auto made = file.bytes();
    return std::string(reinterpret_cast<const char *>(made.data()), made.size());
} catch (const Ort::Exception &fault) {
    return std::unexpected(errorOf(fault));
}

protocol::Supports::Verdict verdictOn(std::string_view model, const std::string &device)
try {
    auto options = optionsOf({.optimization = "none", .device = device, .threads = 1});
    if (!options)
        return {{}, options.error().message};
    const Ort::Session session(environment(), model.data(), model.size(), *options);
    return {true};
} catch (const Ort::Exception &fault) {
    const std::string message = errorOf(fault).message;
    const bool isUnknownOperator =
        message.contains("is not a registered function/op") || message.contains("No Op registered for");
    const bool isLacking = fault.GetOrtErrorCode() == ORT_NOT_IMPLEMENTED || isUnknownOperator;
    return {isLacking ? std::optional(false) : std::nullopt, message};
}

Result<LoadedModel> LoadedModel::load(Load load, std::string bytes)
{
    return open(std::move(load), std::move(bytes), std::nullopt);
}

Result<LoadedModel> LoadedModel::profiling(const std::string &prefix) const { return profiled(prefix, false); }

Result<LoadedModel> LoadedModel::counting(const std::string &prefix) const { return profiled(prefix, true); }

/// Opens the model with a name of its own for each node, if possible, so that each measured time belongs to one node.
/// The weights are read from their files.
Result<LoadedModel> LoadedModel::profiled(const std::string &prefix, bool counts) const
{
    std::optional<std::string> named;
    if (m_load.path.empty()) {
        named = withNodeNames(m_bytes);
    } else if (const auto file = MappedFile::open(m_load.path)) {
        const auto bytes = file->bytes();
        named = withNodeNames({reinterpret_cast<const char *>(bytes.data()), bytes.size()});
        CUTAWAY_RETURN_IF_ERROR(file->checkUnchanged());
    }
    if (named)
        if (auto opened = open(m_load, std::move(*named), prefix, counts, true))
            return opened;
    return open(m_load, m_bytes, prefix, counts);
}

std::int64_t LoadedModel::profilingStart() const
{
    return static_cast<std::int64_t>(m_session.GetProfilingStartTimeNs());
}

Result<LoadedModel> LoadedModel::open(Load load, std::string bytes, const std::optional<std::string> &prefix,
                                      bool counts, bool isOfBytes)
try {
    CUTAWAY_TRY(auto options, optionsOf(load));
    if (prefix)
        options.EnableProfiling(prefix->c_str());
    if (counts) {
        options.DisableMemPattern();
        options.DisableCpuMemArena();
        options.AddConfigEntry(kOrtSessionOptionsConfigUseEnvAllocators, "1");
    }
    if (isOfBytes && !load.path.empty())
        options.AddConfigEntry(kOrtSessionOptionsModelExternalInitializersFileFolderPath,
                               std::filesystem::path(load.path).parent_path().c_str());
    const auto before = threadCount();
    Ort::Session session = load.path.empty() || isOfBytes
        ? Ort::Session(environment(), bytes.data(), bytes.size(), options)
        : Ort::Session(environment(), load.path.c_str(), options);
    const auto after = threadCount();
    std::uint64_t threads = load.threads;
    if (threads == 0 && before && after && *after >= *before)
        threads = *after - *before + 1; // the calling thread computes, too
    std::string kept = load.path.empty() ? std::move(bytes) : std::string();
    return LoadedModel(std::move(load), std::move(kept), std::move(session), threads);
} catch (const Ort::Exception &fault) {
    return std::unexpected(errorOf(fault));
}

std::string LoadedModel::endProfiling()
{
    Ort::AllocatorWithDefaultOptions allocator;
    return m_session.EndProfilingAllocated(allocator).get();
}

std::vector<std::string> LoadedModel::inputNames() const
{
    Ort::AllocatorWithDefaultOptions allocator;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < m_session.GetInputCount(); ++i)
        names.emplace_back(m_session.GetInputNameAllocated(i, allocator).get());
    return names;
}

std::vector<std::string> LoadedModel::outputNames() const
{
    Ort::AllocatorWithDefaultOptions allocator;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < m_session.GetOutputCount(); ++i)
        names.emplace_back(m_session.GetOutputNameAllocated(i, allocator).get());
    return names;
}

Result<std::vector<Ort::Value>> LoadedModel::run(std::span<NamedInput> inputs, std::vector<std::string> wanted,
                                                 std::stop_token stop)
try {
    std::vector<std::string> names;
    std::vector<Ort::Value> values;
    for (NamedInput &input : inputs) {
        CUTAWAY_TRY(auto value, valueOf(input.tensor));
        names.push_back(input.name);
        values.push_back(std::move(value));
    }
    if (wanted.empty())
        wanted = outputNames();
    Ort::RunOptions options;
    const std::stop_callback terminate(stop, [&options] { options.SetTerminate(); });
    return m_session.Run(options, pointers(names).data(), values.data(), values.size(), pointers(wanted).data(),
                         wanted.size());
} catch (const Ort::Exception &fault) {
    return stop.stop_requested() ? cancelled() : std::unexpected(errorOf(fault));
}

} // namespace cutaway::plugins
