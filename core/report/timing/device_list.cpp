// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/timing/device_list.h"

#include "core/base/json_writer.h"
#include "core/base/text.h"
#include "core/print/figures.h"
#include "core/print/text_table.h"

#include <array>

namespace cutaway::report {

namespace {

void writeDevice(JsonWriter &out, const analysis::Device &device)
{
    out.beginObject();
    out.member("id", device.id);
    out.member("name", device.name);
    out.member("source", device.source);
    out.member("memory_bytes", device.memory);
    out.member("bandwidth", device.bandwidth);
    out.member("vector_flops", device.vectorPeak);
    out.key("flops");
    out.beginObject();
    for (const auto &[dtype, peak] : device.peaks)
        out.member(ir::name(dtype), peak);
    out.endObject();
    out.endObject();
}

void writeBackend(JsonWriter &out, const BackendDevices &backend)
{
    out.beginObject();
    out.member("plugin", backend.plugin);
    out.member("target", backend.target);
    if (!backend.devices)
        out.member("message", backend.devices.error().text());
    out.key("devices");
    out.beginArray();
    for (const BackendDevices::Device &device : backend.devices.value_or(std::vector<BackendDevices::Device>())) {
        out.beginObject();
        out.member("id", device.id);
        out.member("name", device.name);
        out.member("memory_bytes", device.memory);
        out.endObject();
    }
    out.endArray();
    out.endObject();
}

std::string backendsText(std::span<const BackendDevices> backends)
{
    if (backends.empty())
        return {};
    print::TextTable table({{}, {}, {}, {.maxWidth = 100}, {.align = print::TextTable::Align::Right}});
    for (const BackendDevices &backend : backends) {
        if (!backend.devices)
            table.addRow({sanitized(backend.plugin), sanitized(backend.target), "–", backend.devices.error().text()});
        for (const BackendDevices::Device &device : backend.devices.value_or(std::vector<BackendDevices::Device>()))
            table.addRow({sanitized(backend.plugin), sanitized(backend.target), sanitized(device.id),
                          sanitized(device.name), device.memory > 0 ? byteCount(device.memory) : ""});
    }
    return "\nDevices that backends can run on:\n" + table.print(2);
}

std::string peakText(const analysis::Device &device, ir::DType dtype)
{
    const auto peak = device.peaks.find(dtype);
    return peak == device.peaks.end() ? "–" : print::withUnit(peak->second, "");
}

} // namespace

std::string devicesJson(std::span<const analysis::Device> devices, std::span<const BackendDevices> backends)
{
    JsonWriter out;
    out.beginObject();
    out.member("schema", "cutaway.devices/1");
    out.key("devices");
    out.beginArray();
    for (const analysis::Device &device : devices)
        writeDevice(out, device);
    out.endArray();
    out.key("backends");
    out.beginArray();
    for (const BackendDevices &backend : backends)
        writeBackend(out, backend);
    out.endArray();
    out.endObject();
    return out.take();
}

std::string devicesText(std::span<const analysis::Device> devices, std::span<const BackendDevices> backends)
{
    using enum ir::DType;
    constexpr std::array shown{Float64, Float32, Float16, BFloat16, Float8E4M3FN, Int8};
    constexpr auto right = print::TextTable::Column{.align = print::TextTable::Align::Right};
    print::TextTable table({{}, {}, right, right, right, right, right, right, right, right, {}});
    table.addRow(
        {"id", "name", "memory", "bandwidth", "float64", "float32", "float16", "bfloat16", "float8", "int8", "source"});
    for (const analysis::Device &device : devices) {
        std::vector<std::string> row{sanitized(device.id), sanitized(device.name), byteCount(device.memory),
                                     print::withUnit(device.bandwidth, "B/s")};
        for (const ir::DType dtype : shown)
            row.push_back(peakText(device, dtype));
        row.push_back(sanitized(device.source));
        table.addRow(std::move(row));
    }
    return table.print(0) + "\nPeaks in operations per second; a multiply-add is two.\n" + backendsText(backends);
}

} // namespace cutaway::report
