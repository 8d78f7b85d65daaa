// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/calibration.h"

#include "core/analysis/known_devices.h"
#include "core/base/formatted.h"

#include <algorithm>
#include <barrier>
#include <chrono>
#include <cmath>
#include <ctime>
#include <fstream>
#include <numeric>
#include <thread>
#include <unistd.h>

// Two figures make a roofline. The peak: each thread runs chains of multiply-adds that stay in registers, as many at a
// time as hide the latency of one, in slices of about a millisecond, and its best slice counts. The bandwidth: each
// thread goes again and again over its part of three arrays, a[i] = b[i] + s * c[i], and its median pass counts: the
// best would be one in which the others rested. As in STREAM, 24 bytes are moved per element; that a cache may fetch
// a[i] before it is written is not counted. Slices and passes count only while all threads run, since cores are faster,
// and have more of the memory, while their neighbours rest. The clock is that of the thread, so that other programs on
// the same cores take less from the figures.

namespace cutaway::analysis {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds settling{50};

/// Returns the processor time of this thread in seconds.
double threadSeconds()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// The number of chains: enough to hide a latency of four cycles on two units, and few enough that they and two more
/// operands fit into sixteen registers.
constexpr int chains = 12;
constexpr int stepsPerSlice = 40'000;

/// Computes one slice: 2 * chains * stepsPerSlice operations in each lane.
template <class Real, int bytes>
[[gnu::always_inline]] inline Real multiplyAdds(Real start)
{
    using Vector [[gnu::vector_size(bytes)]] = Real;
    Vector sums[chains];
    for (int i = 0; i < chains; ++i)
        sums[i] = Vector{} + start * static_cast<Real>(i);
    // The factor is opaque to the compiler, and below 1, so that the sums converge.
    Real factor = Real(0.5);
    asm volatile("" : "+m"(factor));
    const Vector a = Vector{} + factor, b = Vector{} + start;
    for (int step = 0; step < stepsPerSlice; ++step)
#pragma GCC unroll 12
        for (Vector &sum : sums)
            sum = sum * a + b;
    Vector total{};
    for (const Vector &sum : sums)
        total += sum;
    return total[0];
}

/// The function multiplyAdds() compiled for one set of the processor's instructions.
struct Kernel {
    const char *name;
    int bytes; ///< the width of a vector register
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

/// Returns a thread's amount of work per second in each of its rounds, while all threads run for `whole`. One call of
/// `round` does `amount`.
template <class Round>
std::vector<double> rates(Clock::time_point start, std::chrono::milliseconds whole, double amount, const Round &round)
{
    std::vector<double> found;
    for (auto now = Clock::now(); found.empty() || now < start + whole; now = Clock::now()) {
        const double before = threadSeconds();
        round();
        if (now >= start + settling)
            found.push_back(amount / (threadSeconds() - before));
    }
    return found;
}

/// Runs work(start) on all threads at once and returns the sum of the results; all threads run `prepare` before.
template <class Prepare, class Work>
double sumOverThreads(const Prepare &prepare, const Work &work)
{
    std::vector<double> results(threadCount());
    Clock::time_point start;
    std::barrier ready(static_cast<std::ptrdiff_t>(results.size()), [&]() noexcept { start = Clock::now(); });
    {
        std::vector<std::jthread> threads;
        for (double &result : results)
            threads.emplace_back([&] {
                auto own = prepare();
                ready.arrive_and_wait();
                result = work(own, start);
            });
    }
    return std::reduce(results.begin(), results.end());
}

template <class Real>
double peak(Real (*kernel)(Real), int bytes)
{
    const double operations = 2.0 * chains * stepsPerSlice * static_cast<double>(bytes) / sizeof(Real);
    const auto prepare = [] { return Real(1); };
    return sumOverThreads(prepare, [&](Real seed, Clock::time_point start) {
        volatile Real result{};
        return std::ranges::max(
            rates(start, std::chrono::milliseconds(450), operations, [&] { result = kernel(seed); }));
    });
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

/// The arrays of one thread, which touches them first, so that they lie in memory near it.
struct Arrays {
    explicit Arrays(std::size_t count) : a(count, 1), b(count, 2), c(count, 3) { }

    void triad()
    {
        for (std::size_t i = 0; i < a.size(); ++i)
            a[i] = b[i] + 3.0 * c[i];
    }

    std::vector<double> a, b, c;
};

double bandwidth()
{
    const auto count = static_cast<std::size_t>(triadSize() / threadCount() / 3 / sizeof(double));
    const double moved = 3.0 * sizeof(double) * static_cast<double>(count);
    const auto prepare = [&] { return Arrays(count); };
    return sumOverThreads(prepare, [&](Arrays &arrays, Clock::time_point start) {
        auto passes = rates(start, std::chrono::milliseconds(700), moved, [&] { arrays.triad(); });
        std::ranges::nth_element(passes, passes.begin() + static_cast<std::ptrdiff_t>(passes.size() / 2));
        return passes[passes.size() / 2];
    });
}

std::string processorName()
{
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);)
        if (const std::size_t colon = line.find(": "); line.starts_with("model name") && colon != line.npos)
            return line.substr(colon + 2);
    return "this machine's processor";
}

/// Rounds to three digits: further ones would only be noise.
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
    device.name = formatted("{}, {} threads", processorName(), threadCount());
    device.source = formatted("measured on this machine: {} multiply-adds in registers on {} threads, and a triad over "
                              "{:.0f} MB of memory; of many rounds the best and the median",
                              kernel.name, threadCount(), triadSize() / 1e6);
    device.peaks = {{ir::DType::Float32, float32}, {ir::DType::Float64, float64}};
    device.vectorPeak = float32;
    device.bandwidth = rounded(bandwidth());
    device.memory = memorySize();
    return device;
}

} // namespace cutaway::analysis
