// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/methods.h"

#include "core/ir/json/json_reader.h"

#include <limits>

namespace cutaway::protocol {

namespace {

using Reader = ir::JsonReader;

int readVersion(Reader &reader, const Json &json)
{
    const auto number = reader.integer(json, "protocol").value_or(0);
    const bool fits = number >= 0 && number <= std::numeric_limits<int>::max();
    return fits ? static_cast<int>(number) : 0;
}

void readObject(Reader &reader, const Json &json, const char *key, Json &into)
{
    reader.member(json, key, [&](const Json &object) {
        if (object.is_object())
            into = object;
        else
            reader.fail(object, "an object");
    });
}

// The members of each struct are listed twice, in write() and read(), next to each other.

template <class T>
    requires std::is_empty_v<T>
Json write(const T &)
{
    return Json::object();
}
template <class T>
    requires std::is_empty_v<T>
void read(Reader &, const Json &, T &)
{
}

Json write(const Initialize &initialize)
{
    return {{"protocol", initialize.protocol}, {"program", initialize.program}, {"settings", initialize.settings}};
}
void read(Reader &reader, const Json &json, Initialize &initialize)
{
    initialize.protocol = readVersion(reader, json);
    initialize.program = reader.text(json, "program");
    readObject(reader, json, "settings", initialize.settings);
}

Json write(const Initialize::Result &result)
{
    return {{"protocol", result.protocol}, {"name", result.name}, {"version", result.version}};
}
void read(Reader &reader, const Json &json, Initialize::Result &result)
{
    result.protocol = readVersion(reader, json);
    result.name = reader.text(json, "name");
    result.version = reader.text(json, "version");
}

Json write(const Devices::Result &result)
{
    Json list = Json::array();
    for (const Devices::Device &device : result.devices)
        list.push_back({{"id", device.id}, {"name", device.name}, {"memory_bytes", device.memory}});
    return {{"devices", std::move(list)}};
}
void read(Reader &reader, const Json &json, Devices::Result &result)
{
    reader.items(json, "devices", [&](const Json &device) {
        result.devices.push_back(
            {reader.text(device, "id"), reader.text(device, "name"), reader.natural(device, "memory_bytes")});
    });
}

Json write(const Passes::Result &result) { return {{"passes", result.passes}}; }
void read(Reader &reader, const Json &json, Passes::Result &result)
{
    reader.member(json, "passes", [&](const Json &passes) {
        if (passes.is_array())
            result.passes = passes;
        else
            reader.fail(passes, "an array");
    });
}

Json write(const Transform &transform)
{
    return {{"pass", transform.pass}, {"options", transform.options}, {"function", transform.function}};
}
void read(Reader &reader, const Json &json, Transform &transform)
{
    transform.pass = reader.text(json, "pass");
    readObject(reader, json, "options", transform.options);
    transform.function = reader.text(json, "function");
}

Json write(const Import &import) { return {{"path", import.path}}; }
void read(Reader &reader, const Json &json, Import &import) { import.path = reader.text(json, "path"); }

Json write(const Cancel &cancel) { return {{"id", cancel.id.number}}; }
void read(Reader &reader, const Json &json, Cancel &cancel) { cancel.id = {reader.integer(json, "id").value_or(0)}; }

Json write(const Log &log) { return {{"message", log.message}}; }
void read(Reader &reader, const Json &json, Log &log) { log.message = reader.text(json, "message"); }

Json write(const Progress &progress)
{
    return {{"what", progress.what}, {"done", progress.done}, {"total", progress.total}};
}
void read(Reader &reader, const Json &json, Progress &progress)
{
    progress = {reader.text(json, "what"), reader.natural(json, "done"), reader.natural(json, "total")};
}

} // namespace

template <class T>
Json print(const T &value)
{
    return write(value);
}

template <class T>
Result<T> parse(const Json &json)
{
    Reader reader;
    T value;
    if (!json.is_object())
        reader.fail(json, "an object");
    read(reader, json, value);
    if (reader.failed())
        return std::unexpected(
            Error{ErrorKind::Backend, "wrote a message with a fault: " + reader.error()->text(), {}});
    return value;
}

#define SPOKEN(T)                                                                                                      \
    template Json print(const T &);                                                                                    \
    template Result<T> parse(const Json &);
SPOKEN(Initialize)
SPOKEN(Initialize::Result)
SPOKEN(Ping)
SPOKEN(Ping::Result)
SPOKEN(Shutdown)
SPOKEN(Shutdown::Result)
SPOKEN(Devices)
SPOKEN(Devices::Result)
SPOKEN(Passes)
SPOKEN(Passes::Result)
SPOKEN(Transform)
SPOKEN(Transform::Result)
SPOKEN(Import)
SPOKEN(Import::Result)
SPOKEN(Cancel)
SPOKEN(Log)
SPOKEN(Progress)
#undef SPOKEN

} // namespace cutaway::protocol
