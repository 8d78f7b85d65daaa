// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/onnxruntime/memory.h"

#include "core/base/mapped_file.h"
#include "core/base/result.h"
#include "core/base/temporary_folder.h"
#include "plugins/onnxruntime/library.h"
#include "plugins/onnxruntime/profile.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
#include <mutex>

namespace cutaway::plugins {

namespace {

/// The clock of ONNX Runtime's profiler.
using ProfilerClock = std::chrono::high_resolution_clock;

std::int64_t now()
{
    return std::chrono::duration_cast<std::chrono::nanoseconds>(ProfilerClock::now().time_since_epoch()).count();
}

/// The number of allocated bytes after a change, with its time.
struct Sample {
    std::int64_t time;
    std::int64_t bytes;
};

/// An allocator that records allocations and frees. It is registered with ONNX Runtime while it lives. The size of a
/// block is stored before the block.
class CountingAllocator : public OrtAllocator {
public:
    CountingAllocator() : OrtAllocator(), m_place(Ort::MemoryInfo::CreateCpu(OrtDeviceAllocator, OrtMemTypeDefault))
    {
        version = ORT_API_VERSION;
        Alloc = [](OrtAllocator *self, std::size_t size) { return static_cast<CountingAllocator *>(self)->take(size); };
        Reserve = Alloc;
        Free = [](OrtAllocator *self, void *block) { static_cast<CountingAllocator *>(self)->giveBack(block); };
        Info = [](const OrtAllocator *self) -> const OrtMemoryInfo * {
            return static_cast<const CountingAllocator *>(self)->m_place;
        };
        Ort::ThrowOnError(Ort::GetApi().RegisterAllocator(environment(), this));
    }
    ~CountingAllocator() { Ort::GetApi().ReleaseStatus(Ort::GetApi().UnregisterAllocator(environment(), m_place)); }
    CountingAllocator(const CountingAllocator &) = delete;
    CountingAllocator &operator=(const CountingAllocator &) = delete;

    /// Starts counting anew, from zero.
    void start()
    {
        const std::scoped_lock lock(m_mutex);
        m_taken = 0;
        m_samples = {{now(), 0}};
    }
    std::vector<Sample> samples() const
    {
        const std::scoped_lock lock(m_mutex);
        return m_samples;
    }

private:
    static constexpr std::size_t alignment = 64;

    void *take(std::size_t size)
    {
        const std::size_t whole = (size + 2 * alignment - 1) / alignment * alignment;
        void *block = size > whole ? nullptr : std::aligned_alloc(alignment, whole);
        if (!block)
            return nullptr;
        *static_cast<std::size_t *>(block) = size;
        note(static_cast<std::int64_t>(size));
        return static_cast<std::byte *>(block) + alignment;
    }
    void giveBack(void *pointer)
    {
        if (!pointer)
            return;
        void *block = static_cast<std::byte *>(pointer) - alignment;
        note(-static_cast<std::int64_t>(*static_cast<std::size_t *>(block)));
        std::free(block);
    }
    void note(std::int64_t change)
    {
        const std::scoped_lock lock(m_mutex);
        m_samples.push_back({now(), m_taken += change});
    }

    Ort::MemoryInfo m_place;
    mutable std::mutex m_mutex;
    std::int64_t m_taken = 0;
    std::vector<Sample> m_samples;
};

/// Returns the most bytes that were allocated at once between two times; what was allocated before counts as well.
std::uint64_t mostBetween(const std::vector<Sample> &samples, std::int64_t begin, std::int64_t end)
{
    auto at = std::ranges::upper_bound(samples, begin, {}, &Sample::time);
    std::int64_t most = at == samples.begin() ? 0 : std::prev(at)->bytes;
    for (; at != samples.end() && at->time <= end; ++at)
        most = std::max(most, at->bytes);
    return static_cast<std::uint64_t>(std::max<std::int64_t>(most, 0));
}

void add(protocol::Profile::Result &profile, const std::vector<NodeInterval> &intervals,
         const std::vector<Sample> &samples, std::int64_t clockStart)
{
    constexpr std::int64_t inNanoseconds = 1000;
    std::map<std::tuple<std::string, std::string, std::uint64_t>, std::uint64_t> bytes;
    for (const NodeInterval &node : intervals)
        bytes[{node.name, node.op, node.index}] =
            mostBetween(samples, clockStart + node.begin * inNanoseconds, clockStart + node.end * inNanoseconds);
    for (protocol::Profile::NodeTime &node : profile.nodes)
        if (const auto found = bytes.find({node.name, node.op, node.index}); found != bytes.end())
            node.memory = found->second;
    for (const Sample &sample : samples)
        profile.peakActivation =
            std::max(profile.peakActivation, static_cast<std::uint64_t>(std::max<std::int64_t>(sample.bytes, 0)));
}

} // namespace

Result<void> measureMemory(const LoadedModel &model, std::span<NamedInput> inputs, const std::stop_token &stop,
                           protocol::Profile::Result &profile)
try {
    CUTAWAY_TRY(const auto folder, TemporaryFolder::make());
    CountingAllocator allocator;
    CUTAWAY_TRY(auto counting, model.counting((folder.path() / "profile").string()));
    CUTAWAY_RETURN_IF_ERROR(counting.run(inputs, {}, stop));
    allocator.start();
    CUTAWAY_RETURN_IF_ERROR(counting.run(inputs, {}, stop));
    const auto samples = allocator.samples();
    const std::int64_t clockStart = counting.profilingStart();
    CUTAWAY_TRY(const auto file, MappedFile::open(counting.endProfiling()));
    const auto bytes = file.bytes();
    CUTAWAY_TRY(const auto intervals, readIntervals({reinterpret_cast<const char *>(bytes.data()), bytes.size()}));
    add(profile, intervals, samples, clockStart);
    return {};
} catch (const Ort::Exception &fault) {
    return std::unexpected(Error{ErrorKind::Backend, std::string("ONNX Runtime: ") + fault.what(), {}});
}

} // namespace cutaway::plugins
