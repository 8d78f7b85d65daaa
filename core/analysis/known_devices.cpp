// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/known_devices.h"
#include "core/base/result.h"

#include <algorithm>
#include <cstdlib>

namespace cutaway::analysis {

std::filesystem::path userDeviceFolder()
{
    const auto variable = [](const char *name) {
        const char *value = std::getenv(name);
        return std::filesystem::path(value ? value : "");
    };
    // The XDG specification says that a relative path is to be ignored.
    if (const auto config = variable("XDG_CONFIG_HOME"); config.is_absolute())
        return config / "cutaway" / "devices";
    const auto home = variable("HOME");
    return home.is_absolute() ? home / ".config" / "cutaway" / "devices" : std::filesystem::path();
}

Result<std::vector<Device>> knownDevices()
{
    const auto folder = userDeviceFolder();
    Result<std::vector<Device>> devices;
    if (!folder.empty())
        devices = devicesIn(folder.string());
    if (!devices)
        return devices;
    for (const Device &device : builtinDevices())
        if (std::ranges::find(*devices, device.id, &Device::id) == devices->end())
            devices->push_back(device);
    std::ranges::sort(*devices, {}, &Device::id);
    return devices;
}

Result<Device> findDevice(std::string_view id)
{
    CUTAWAY_TRY(auto devices, knownDevices());
    const auto found = std::ranges::find(devices, id, &Device::id);
    if (found != devices.end())
        return std::move(*found);
    std::string ids;
    for (const Device &device : devices)
        ids += (ids.empty() ? "" : ", ") + device.id;
    return std::unexpected(Error{ErrorKind::Usage, "unknown device '" + std::string(id) + "'; known are " + ids, {}});
}

Result<Device> defaultDevice()
{
    auto measured = findDevice(thisMachine);
    const bool isNone = !measured && measured.error().kind == ErrorKind::Usage;
    return isNone ? findDevice("h100-sxm") : measured;
}

} // namespace cutaway::analysis
