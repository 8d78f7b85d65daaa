// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/onnxruntime/profile.h"

#include "core/base/mapped_file.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <sys/resource.h>

namespace cutaway::plugins {

namespace {

using Clock = std::chrono::steady_clock;
using protocol::Profile;

constexpr std::size_t fewestRuns = 5, mostRuns = 10'000, mostInstrumented = 200;
constexpr double stable = 0.01;

/// The value below which this part of a sorted list lies, between two where it must.
double quantile(const std::vector<double> &sorted, double part)
{
    const double place = part * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return std::lerp(sorted[below], sorted[above], place - static_cast<double>(below));
}

double median(std::span<const double> seconds)
{
    std::vector<double> sorted(seconds.begin(), seconds.end());
    std::ranges::sort(sorted);
    return quantile(sorted, 0.5);
}

/// Whether the later half of the runs took as long as the earlier one.
bool isStable(std::span<const double> seconds)
{
    constexpr std::size_t enough = 20;
    if (seconds.size() < enough || seconds.size() % fewestRuns != 0)
        return false;
    const std::size_t half = seconds.size() / 2;
    const double before = median(seconds.first(half)), after = median(seconds.subspan(half));
    return std::abs(before - after) <= stable * before;
}

Result<double> secondsOfRun(LoadedModel &model, std::span<NamedInput> inputs, const std::stop_token &stop)
{
    const auto start = Clock::now();
    const auto done = model.run(inputs, {}, stop);
    if (!done)
        return std::unexpected(done.error());
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Runs until the median is stable, the time is over, or there are enough.
Result<std::vector<double>> repeat(LoadedModel &model, std::span<NamedInput> inputs, const Profile &wishes,
                                   std::size_t most, const std::stop_token &stop)
{
    for (std::uint64_t i = 0; i < wishes.warmUp; ++i)
        if (const auto warm = secondsOfRun(model, inputs, stop); !warm)
            return std::unexpected(warm.error());
    std::vector<double> times;
    const auto start = Clock::now();
    const auto isOver = [&] {
        const double spent = std::chrono::duration<double>(Clock::now() - start).count();
        return times.size() >= most || isStable(times) || (!times.empty() && spent >= wishes.seconds);
    };
    while (!isOver()) {
        const auto seconds = secondsOfRun(model, inputs, stop);
        if (!seconds)
            return std::unexpected(seconds.error());
        times.push_back(*seconds);
    }
    return times;
}

std::uint64_t peakMemory()
{
    rusage usage{};
    return getrusage(RUSAGE_SELF, &usage) == 0 ? static_cast<std::uint64_t>(usage.ru_maxrss) * 1024 : 0;
}

/// A folder that is gone with the object.
class TemporaryFolder {
public:
    TemporaryFolder()
    {
        std::string name = (std::filesystem::temp_directory_path() / "cutaway-profile-XXXXXX").string();
        if (mkdtemp(name.data()))
            m_path = name;
    }
    ~TemporaryFolder()
    {
        std::error_code ignored;
        if (!m_path.empty())
            std::filesystem::remove_all(m_path, ignored);
    }
    TemporaryFolder(const TemporaryFolder &) = delete;
    TemporaryFolder &operator=(const TemporaryFolder &) = delete;
    const std::filesystem::path &path() const { return m_path; }

private:
    std::filesystem::path m_path;
};

Result<Profile::Result> instrumented(const LoadedModel &model, std::span<NamedInput> inputs, const Profile &wishes,
                                     const std::stop_token &stop)
{
    const TemporaryFolder folder;
    if (folder.path().empty())
        return std::unexpected(Error{ErrorKind::Backend, "there is no folder for the profile", {}});
    auto profiling = model.profiling((folder.path() / "profile").string());
    if (!profiling)
        return std::unexpected(profiling.error());
    const auto times = repeat(*profiling, inputs, wishes, mostInstrumented, stop);
    const std::string written = profiling->endProfiling();
    if (!times)
        return std::unexpected(times.error());
    const auto file = MappedFile::open(written);
    if (!file)
        return std::unexpected(file.error());
    const auto bytes = file->bytes();
    auto result = readProfile({reinterpret_cast<const char *>(bytes.data()), bytes.size()}, wishes.warmUp);
    if (result)
        result->instrumented = spreadOf(*times);
    return result;
}

} // namespace

protocol::Spread spreadOf(std::vector<double> seconds)
{
    if (seconds.empty())
        return {};
    std::ranges::sort(seconds);
    return {quantile(seconds, 0.5), quantile(seconds, 0.05), quantile(seconds, 0.95), seconds.size()};
}

Result<Profile::Result> profile(LoadedModel &model, std::span<NamedInput> inputs, const Profile &wishes,
                                std::stop_token stop)
{
    const auto whole = repeat(model, inputs, wishes, mostRuns, stop);
    if (!whole)
        return std::unexpected(whole.error());
    const std::uint64_t peak = peakMemory();
    auto result = instrumented(model, inputs, wishes, stop);
    if (!result)
        return result;
    result->whole = spreadOf(*whole);
    result->peakBytes = peak;
    return result;
}

} // namespace cutaway::plugins
