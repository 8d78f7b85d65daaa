// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/server/cuda.h"

#include <array>
#include <charconv>
#include <dlfcn.h>

namespace cutaway::plugins {

namespace {

using protocol::Accelerator;

/// A library whose functions are found by name. It is never unloaded, since drivers may not survive that.
class Library {
public:
    explicit Library(const char *name) : m_handle(dlopen(name, RTLD_NOW | RTLD_LOCAL)) { }

    /// Calls a function that returns 0 on success. Returns false if it fails, or does not exist.
    template <class... Arguments>
    bool call(const char *name, Arguments... arguments) const
    {
        using Function = int (*)(Arguments...);
        const auto function = m_handle ? reinterpret_cast<Function>(dlsym(m_handle, name)) : nullptr;
        return function && function(arguments...) == 0;
    }

private:
    void *m_handle;
};

using Text = std::array<char, 128>;

std::string textOf(const Text &text) { return {text.data(), strnlen(text.data(), text.size())}; }

/// Adds what the management library reports about the device at this address of the PCI bus.
void addClocks(const Library &management, const Text &address, Accelerator &device)
{
    constexpr unsigned multiprocessorClock = 1; // the value of NVML_CLOCK_SM
    constexpr double mega = 1e6;
    void *handle = nullptr;
    unsigned clock = 0;
    if (!management.call("nvmlDeviceGetHandleByPciBusId_v2", address.data(), &handle))
        return;
    if (management.call("nvmlDeviceGetClockInfo", handle, multiprocessorClock, &clock))
        device.clock = mega * clock;
    if (management.call("nvmlDeviceGetMaxClockInfo", handle, multiprocessorClock, &clock))
        device.fastestClock = mega * clock;
}

} // namespace

std::vector<Accelerator> cudaDevices(const char *driver, const char *management)
{
    const Library cuda(driver);
    int count = 0;
    if (!cuda.call("cuInit", 0U) || !cuda.call("cuDeviceGetCount", &count))
        return {};
    const Library nvml(management);
    Text version{};
    const bool hasClocks = nvml.call("nvmlInit_v2");
    if (hasClocks)
        nvml.call("nvmlSystemGetDriverVersion", version.data(), static_cast<unsigned>(version.size()));
    std::vector<Accelerator> devices;
    for (int i = 0; i < count; ++i) {
        int device = 0;
        Text name{}, address{};
        std::size_t memory = 0;
        Accelerator made{.driver = textOf(version)};
        if (cuda.call("cuDeviceGet", &device, i)
            && cuda.call("cuDeviceGetName", name.data(), static_cast<int>(name.size()), device))
            made.name = textOf(name);
        if (cuda.call("cuDeviceTotalMem_v2", &memory, device))
            made.memory = memory;
        if (hasClocks && cuda.call("cuDeviceGetPCIBusId", address.data(), static_cast<int>(address.size()), device))
            addClocks(nvml, address, made);
        devices.push_back(std::move(made));
    }
    return devices;
}

std::vector<protocol::Devices::Device> asBackendDevices(const std::vector<Accelerator> &devices)
{
    std::vector<protocol::Devices::Device> all;
    for (std::size_t i = 0; i < devices.size(); ++i)
        all.push_back({"cuda:" + std::to_string(i), devices[i].name, devices[i].memory});
    return all;
}

std::optional<Accelerator> acceleratorOf(std::string_view id)
{
    const std::string_view name = id.substr(0, id.find(':'));
    if (name != "cuda" && name != "tensorrt")
        return std::nullopt;
    std::size_t index = 0;
    std::from_chars(id.data() + std::min(name.size() + 1, id.size()), id.data() + id.size(), index);
    const auto devices = cudaDevices();
    return index < devices.size() ? std::optional(devices[index]) : std::nullopt;
}

} // namespace cutaway::plugins
