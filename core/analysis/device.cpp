// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/device.h"

#include "core/base/formatted.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace cutaway::analysis {

namespace {

using Json = nlohmann::ordered_json;

std::unexpected<Error> wrong(std::string message) { return unreadable(std::move(message)); }

Result<std::string> textAt(const Json &json, const char *key)
{
    const auto found = json.find(key);
    if (found == json.end() || !found->is_string() || found->get<std::string>().empty())
        return wrong(formatted("'{}' is missing or not a text", key));
    return found->get<std::string>();
}

Result<double> positive(const Json &json, std::string_view key)
{
    const auto found = json.find(key);
    if (found == json.end() || !found->is_number() || !(found->get<double>() > 0)
        || !std::isfinite(found->get<double>()))
        return wrong(formatted("'{}' is missing or not a positive number", key));
    return found->get<double>();
}

Result<void> readFigures(const Json &json, Device &device)
{
    for (const auto &[key, member] : {std::pair{"memory_bytes", &device.memory},
                                      {"bandwidth", &device.bandwidth},
                                      {"vector_flops", &device.vectorPeak}}) {
        CUTAWAY_TRY(const auto figure, positive(json, key));
        *member = figure;
    }
    const auto peaks = json.find("flops");
    if (peaks == json.end() || !peaks->is_object() || peaks->empty())
        return wrong("'flops' is missing or not an object with a figure per dtype");
    for (const auto &[name, value] : peaks->items()) {
        const auto dtype = ir::dtypeFromName(name);
        if (!dtype)
            return wrong(formatted("'{}' is not a dtype", name));
        CUTAWAY_TRY(const auto figure, positive(*peaks, name));
        device.peaks[*dtype] = figure;
    }
    return {};
}

} // namespace

Result<Device> parseDevice(std::string_view text)
{
    const Json json = Json::parse(text, nullptr, false);
    if (!json.is_object())
        return wrong("no JSON object");
    Device device;
    for (const auto &[key, member] :
         {std::pair{"id", &device.id}, {"name", &device.name}, {"source", &device.source}}) {
        CUTAWAY_TRY(*member, textAt(json, key));
    }
    CUTAWAY_RETURN_IF_ERROR(readFigures(json, device));
    return device;
}

std::string printDevice(const Device &device)
{
    Json json{{"id", device.id},
              {"name", device.name},
              {"source", device.source},
              {"memory_bytes", device.memory},
              {"bandwidth", device.bandwidth},
              {"vector_flops", device.vectorPeak},
              {"flops", Json::object()}};
    for (const auto &[dtype, peak] : device.peaks)
        json["flops"][std::string(ir::name(dtype))] = peak;
    return json.dump(2) + "\n";
}

std::vector<Device> builtinDevices()
{
    constexpr std::string_view texts[] = {
#include "core/analysis/device_texts.inc"
    };
    std::vector<Device> devices;
    for (const std::string_view text : texts) {
        auto device = parseDevice(text);
        assert(device);
        devices.push_back(std::move(*device));
    }
    std::ranges::sort(devices, {}, &Device::id);
    return devices;
}

Result<std::vector<Device>> devicesIn(const std::string &folder)
{
    std::vector<Device> devices;
    std::error_code error;
    for (const auto &entry : std::filesystem::directory_iterator(folder, error)) {
        if (entry.path().extension() != ".json")
            continue;
        std::ostringstream text;
        text << std::ifstream(entry.path(), std::ios::binary).rdbuf();
        auto device = parseDevice(text.str());
        if (!device)
            return wrong(entry.path().filename().string() + ": " + device.error().message);
        devices.push_back(std::move(*device));
    }
    if (error && error != std::errc::no_such_file_or_directory)
        return wrong(folder + ": " + error.message());
    std::ranges::sort(devices, {}, &Device::id);
    return devices;
}

} // namespace cutaway::analysis
