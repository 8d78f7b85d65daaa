// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/onnxruntime/profile.h"

#include "core/base/mapped_file.h"
#include "core/base/result.h"
#include "core/base/temporary_folder.h"
#include "plugins/onnxruntime/memory.h"
#include "plugins/server/alternating_runs.h"
#include "plugins/server/machine.h"

#include <chrono>
#include <optional>

namespace cutaway::plugins {

namespace {

using Clock = std::chrono::steady_clock;
using protocol::Profile;
using protocol::spreadOf;

Result<double> secondsOfRun(LoadedModel &model, std::span<NamedInput> inputs, const std::stop_token &stop)
{
    const auto start = Clock::now();
    CUTAWAY_RETURN_IF_ERROR(model.run(inputs, {}, stop));
    return std::chrono::duration<double>(Clock::now() - start).count();
}

Result<void> warmUp(LoadedModel &model, std::span<NamedInput> inputs, const Profile &request,
                    const std::stop_token &stop)
{
    for (std::uint64_t i = 0; i < request.warmUp; ++i)
        CUTAWAY_RETURN_IF_ERROR(secondsOfRun(model, inputs, stop));
    return {};
}

/// Returns the profile of the counted runs; runs before the first batch are the warm-up, which is recorded, too.
Result<Profile::Result> written(LoadedModel &profiling, const Profile &request, const RunTimes &times)
{
    CUTAWAY_TRY(const auto file, MappedFile::open(profiling.endProfiling()));
    std::set<std::size_t> counted;
    for (const std::size_t run : times.counted)
        counted.insert(run + static_cast<std::size_t>(request.warmUp));
    const auto bytes = file.bytes();
    return readProfile({reinterpret_cast<const char *>(bytes.data()), bytes.size()}, counted);
}

} // namespace

Result<Profile::Result> profile(LoadedModel &model, std::span<NamedInput> inputs, const Profile &request,
                                std::stop_token stop)
{
    CUTAWAY_RETURN_IF_ERROR(warmUp(model, inputs, request, stop));
    const std::uint64_t peak = peakMemory(); // measured before the second session loads its weights
    CUTAWAY_TRY(const auto folder, TemporaryFolder::make());
    CUTAWAY_TRY(std::optional profiling, model.profiling((folder.path() / "profile").string()));
    CUTAWAY_RETURN_IF_ERROR(warmUp(*profiling, inputs, request, stop));
    CUTAWAY_TRY(const auto runs,
                timeAlternately([&] { return secondsOfRun(model, inputs, stop); },
                                [&] { return secondsOfRun(*profiling, inputs, stop); }, request.seconds));
    auto result = written(*profiling, request, runs.instrumented);
    if (!result)
        return result;
    profiling.reset(); // freed, so that at most two sessions are loaded at a time
    CUTAWAY_RETURN_IF_ERROR(measureMemory(model, inputs, stop, *result));
    result->whole = spreadOf(runs.plain.seconds());
    result->instrumented = spreadOf(runs.instrumented.seconds());
    result->peakBytes = peak;
    return result;
}

} // namespace cutaway::plugins
