// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/calibration.h"

#include "core/analysis/known_devices.h"

#include <algorithm>
#include <barrier>
#include <chrono>
#include <cmath>
#include <format>
#include <fstream>
#include <memory>
#include <thread>
#include <unistd.h>

// Two figures make a roofline. The peak: each thread runs chains of multiply-adds that stay in registers, as many at a
// time as hide the latency of one, in slices of about a millisecond, and its best slice counts. A slice counts only
// while all threads run, so that no core is faster because its neighbours rest. The bandwidth: all threads together go
// over three arrays, a[i] = b[i] + s * c[i], several times, and the best time counts. As in STREAM, 24 bytes are moved
// per element; that a cache may fetch a[i] before it is written is not counted. The best of many is what the machine
// can do; the mean is what else was running.

namespace cutaway::analysis {

namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

/// Enough for a latency of four cycles on two units; with two operands more they fit sixteen registers.
constexpr int chains = 12;
constexpr int stepsPerSlice = 40'000;

/// One slice: 2 * chains * stepsPerSlice operations in each lane.
template <class Real, int bytes>
[[gnu::always_inline]] inline Real multiplyAdds(Real start)
{
    typedef Real Vector __attribute__((vector_size(bytes)));
    Vector sums[chains];
    for (int i = 0; i < chains; ++i)
        sums[i] = Vector{} + start * static_cast<Real>(i);
    // Opaque to the compiler, and such that the sums converge.
    Real factor = Real(0.5);
    asm volatile("" : "+m"(factor));
    const Vector a = Vector{} + factor, b = Vector{} + start;
    for (int step = 0; step < stepsPerSlice; ++step)
#pragma GCC unroll 12
        for (int i = 0; i < chains; ++i)
            sums[i] = sums[i] * a + b;
    Vector total{};
    for (int i = 0; i < chains; ++i)
        total += sums[i];
    return total[0];
}

/// The same code for a level of the processor's instructions.
struct Kernel {
    const char *name;
    int bytes; ///< of a vector
    float (*float32)(float);
    double (*float64)(double);
};

Kernel widestKernel()
{
#ifdef __x86_64__
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f"))
        return {"AVX-512", 64,
                [](float x) __attribute__((target("avx512f,fma"))) { return multiplyAdds<float, 64>(x); },
                [](double x) __attribute__((target("avx512f,fma"))) { return multiplyAdds<double, 64>(x); }};
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return {"AVX2", 32, [](float x) __attribute__((target("avx2,fma"))) { return multiplyAdds<float, 32>(x); },
                [](double x) __attribute__((target("avx2,fma"))) { return multiplyAdds<double, 32>(x); }};
#endif
    return {"128-bit", 16, [](float x) { return multiplyAdds<float, 16>(x); },
            [](double x) { return multiplyAdds<double, 16>(x); }};
}

unsigned threadCount() { return std::max(1U, std::thread::hardware_concurrency()); }

/// Runs work(thread) on all threads at once.
template <class Work>
void onAllThreads(const Work &work)
{
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < threadCount(); ++i)
        threads.emplace_back([&work, i] { work(i); });
}

/// Operations per second of one thread in its best slice.
template <class Real>
double bestSlice(Real (*kernel)(Real), double operations, Clock::time_point start)
{
    constexpr std::chrono::milliseconds settling{50}, whole{450};
    double best = 0;
    for (auto now = Clock::now(); best == 0 || now < start + whole;) {
        volatile Real result = kernel(Real(1));
        static_cast<void>(result);
        const auto end = Clock::now();
        if (now >= start + settling)
            best = std::max(best, operations / Seconds(end - now).count());
        now = end;
    }
    return best;
}

template <class Real>
double peak(Real (*kernel)(Real), int bytes)
{
    const double operations = 2.0 * chains * stepsPerSlice * (bytes / sizeof(Real));
    std::vector<double> bests(threadCount());
    Clock::time_point start;
    std::barrier ready(static_cast<std::ptrdiff_t>(bests.size()), [&]() noexcept { start = Clock::now(); });
    onAllThreads([&](unsigned i) {
        ready.arrive_and_wait();
        bests[i] = bestSlice(kernel, operations, start);
    });
    double sum = 0;
    for (const double best : bests)
        sum += best;
    return sum;
}

double memorySize()
{
    return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

/// Bytes of the three arrays together: four times the last cache, of which there may be one for every few cores.
double triadSize()
{
    constexpr double perThread = 48e6, least = 128e6;
    double cache = 0;
#ifdef _SC_LEVEL3_CACHE_SIZE
    cache = static_cast<double>(std::max(0L, sysconf(_SC_LEVEL3_CACHE_SIZE)));
#endif
    return std::min(std::max({least, 4 * cache, perThread * threadCount()}), memorySize() / 4);
}

void triad(double *a, const double *b, const double *c, std::size_t count)
{
    for (std::size_t i = 0; i < count; ++i)
        a[i] = b[i] + 3.0 * c[i];
}

double bandwidth()
{
    constexpr Seconds limit{1};
    const auto count = static_cast<std::size_t>(triadSize() / threadCount() / 3 / sizeof(double));
    double best = 0;
    Clock::time_point begin, start;
    bool isFirst = true, goesOn = true;
    std::barrier gate(static_cast<std::ptrdiff_t>(threadCount()), [&]() noexcept {
        const auto now = Clock::now();
        const double moved = 3.0 * sizeof(double) * static_cast<double>(count) * threadCount();
        isFirst ? void(begin = now) : void(best = std::max(best, moved / Seconds(now - start).count()));
        isFirst = false;
        goesOn = best == 0 || now - begin < limit;
        start = now;
    });
    onAllThreads([&](unsigned) {
        // Each thread touches its own part first, so that it lies near that thread.
        std::vector<double> a(count, 1), b(count, 2), c(count, 3);
        for (gate.arrive_and_wait(); goesOn; gate.arrive_and_wait())
            triad(a.data(), b.data(), c.data(), count);
    });
    return best;
}

std::string processorName()
{
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);)
        if (const std::size_t colon = line.find(": "); line.starts_with("model name") && colon != line.npos)
            return line.substr(colon + 2);
    return "this machine's processor";
}

/// Three digits: more would only be noise.
double rounded(double figure)
{
    const double unit = std::pow(10, std::floor(std::log10(figure)) - 2);
    return std::round(figure / unit) * unit;
}

} // namespace

Device calibrate()
{
    const Kernel kernel = widestKernel();
    const double float32 = rounded(peak(kernel.float32, kernel.bytes));
    const double float64 = rounded(peak(kernel.float64, kernel.bytes));
    Device device;
    device.id = thisMachine;
    device.name = std::format("{}, {} threads", processorName(), threadCount());
    device.source =
        std::format("measured on this machine: {} multiply-adds in registers on {} threads, and a triad over "
                    "{:.0f} MB of memory; the best of several rounds each",
                    kernel.name, threadCount(), triadSize() / 1e6);
    device.peaks = {{ir::DType::Float32, float32}, {ir::DType::Float64, float64}};
    device.vectorPeak = float32;
    device.bandwidth = rounded(bandwidth());
    device.memory = memorySize();
    return device;
}

} // namespace cutaway::analysis
