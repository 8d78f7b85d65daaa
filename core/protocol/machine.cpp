// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/machine.h"

namespace cutaway::protocol {

namespace {

using ir::Json;
using ir::JsonReader;

// The members of each struct are listed twice, in write() and read(), next to each other.

Json write(const Machine &machine)
{
    return {{"host", machine.host},
            {"processor", machine.processor},
            {"sockets", machine.sockets},
            {"cores", machine.cores},
            {"threads", machine.threads},
            {"usable_threads", machine.usable},
            {"level1_bytes", machine.level1},
            {"level2_bytes", machine.level2},
            {"level3_bytes", machine.level3},
            {"clock_hertz", machine.clock},
            {"fastest_clock_hertz", machine.fastestClock},
            {"governor", machine.governor},
            {"memory_bytes", machine.memory},
            {"system", machine.system}};
}
Machine readMachine(JsonReader &reader, const Json &json)
{
    return {reader.text(json, "host"),
            reader.text(json, "processor"),
            reader.natural(json, "sockets"),
            reader.natural(json, "cores"),
            reader.natural(json, "threads"),
            reader.natural(json, "usable_threads"),
            reader.natural(json, "level1_bytes"),
            reader.natural(json, "level2_bytes"),
            reader.natural(json, "level3_bytes"),
            readNumber(reader, json, "clock_hertz"),
            readNumber(reader, json, "fastest_clock_hertz"),
            reader.text(json, "governor"),
            reader.natural(json, "memory_bytes"),
            reader.text(json, "system")};
}

} // namespace

Json print(const Conditions &conditions)
{
    Json json = write(conditions.machine);
    json["libraries"] = conditions.libraries;
    json["threads_used"] = conditions.threads;
    json["optimization"] = conditions.optimization;
    json["device"] = conditions.device;
    json["time"] = conditions.time;
    if (const auto &device = conditions.accelerator)
        json["accelerator"] = {{"name", device->name},
                               {"memory_bytes", device->memory},
                               {"clock_hertz", device->clock},
                               {"fastest_clock_hertz", device->fastestClock},
                               {"driver", device->driver}};
    return json;
}
Conditions readConditions(JsonReader &reader, const Json &json)
{
    std::vector<std::string> libraries;
    reader.items(json, "libraries", [&](const Json &library) { libraries.push_back(reader.text(library)); });
    std::optional<Accelerator> accelerator;
    reader.member(json, "accelerator", [&](const Json &device) {
        accelerator = {reader.text(device, "name"), reader.natural(device, "memory_bytes"),
                       readNumber(reader, device, "clock_hertz"), readNumber(reader, device, "fastest_clock_hertz"),
                       reader.text(device, "driver")};
    });
    return {readMachine(reader, json),
            std::move(libraries),
            reader.natural(json, "threads_used"),
            reader.text(json, "optimization"),
            reader.text(json, "device"),
            reader.text(json, "time"),
            std::move(accelerator)};
}

double readNumber(JsonReader &reader, const Json &object, const char *key, double defaultValue)
{
    reader.member(object, key, [&](const Json &number) {
        if (number.is_number())
            defaultValue = number.get<double>();
        else
            reader.fail(number, "a number");
    });
    return defaultValue;
}

} // namespace cutaway::protocol
