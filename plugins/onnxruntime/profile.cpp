// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/onnxruntime/profile.h"

#include "core/base/mapped_file.h"
#include "core/base/temporary_folder.h"
#include "plugins/onnxruntime/memory.h"
#include "plugins/server/alternating_runs.h"
#include "plugins/server/machine.h"

#include <chrono>

namespace cutaway::plugins {

namespace {

using Clock = std::chrono::steady_clock;
using protocol::Profile;

Result<double> secondsOfRun(LoadedModel &model, std::span<NamedInput> inputs, const std::stop_token &stop)
{
    const auto start = Clock::now();
    const auto done = model.run(inputs, {}, stop);
    if (!done)
        return std::unexpected(done.error());
    return std::chrono::duration<double>(Clock::now() - start).count();
}

Result<void> warmUp(LoadedModel &model, std::span<NamedInput> inputs, const Profile &request,
                    const std::stop_token &stop)
{
    for (std::uint64_t i = 0; i < request.warmUp; ++i)
        if (const auto warm = secondsOfRun(model, inputs, stop); !warm)
            return std::unexpected(warm.error());
    return {};
}

/// The profiler's record of the counted runs; before the first batch it also recorded the warm-up.
Result<Profile::Result> written(LoadedModel &profiling, const Profile &request, const RunTimes &times)
{
    const auto file = MappedFile::open(profiling.endProfiling());
    if (!file)
        return std::unexpected(file.error());
    std::set<std::size_t> counted;
    for (const std::size_t run : times.counted)
        counted.insert(run + static_cast<std::size_t>(request.warmUp));
    const auto bytes = file->bytes();
    return readProfile({reinterpret_cast<const char *>(bytes.data()), bytes.size()}, counted);
}

} // namespace

Result<Profile::Result> profile(LoadedModel &model, std::span<NamedInput> inputs, const Profile &request,
                                std::stop_token stop)
{
    if (const auto warm = warmUp(model, inputs, request, stop); !warm)
        return std::unexpected(warm.error());
    const std::uint64_t peak = peakMemory(); // before the second session loads its weights
    const auto folder = TemporaryFolder::make();
    if (!folder)
        return std::unexpected(folder.error());
    auto profiling = model.profiling((folder->path() / "profile").string());
    if (!profiling)
        return std::unexpected(profiling.error());
    if (const auto warm = warmUp(*profiling, inputs, request, stop); !warm)
        return std::unexpected(warm.error());
    const auto runs = timeAlternately([&] { return secondsOfRun(model, inputs, stop); },
                                      [&] { return secondsOfRun(*profiling, inputs, stop); }, request.seconds);
    if (!runs)
        return std::unexpected(runs.error());
    auto result = written(*profiling, request, runs->instrumented);
    if (!result)
        return result;
    profiling = std::unexpected(Error()); // frees this session: at most two are loaded at a time
    if (const auto counted = measureMemory(model, inputs, stop, *result); !counted)
        return std::unexpected(counted.error());
    result->whole = spreadOf(runs->plain.seconds());
    result->instrumented = spreadOf(runs->instrumented.seconds());
    result->peakBytes = peak;
    return result;
}

} // namespace cutaway::plugins
