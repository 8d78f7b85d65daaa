// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/formats/onnx/read/devices.h"

#include "core/base/formatted.h"

namespace cutaway::formats::onnx {

namespace {

std::string numbersOf(const Field &field)
{
    std::string text;
    forEachVarint(field, [&](std::uint64_t n) { text += formatted(" {}", static_cast<std::int64_t>(n)); });
    return text;
}

/// Describes a SimpleShardedDimProto: a size, and the number of parts that it is split into.
std::string simpleSharding(const Message &message)
{
    std::string size, parts;
    MessageReader reader(message);
    for (Field field; reader.next(field);) {
        if (field.tag == varintField(1))
            size = formatted(" of {}", field.integer());
        else if (field.tag == bytesField(2))
            size = formatted(" of {}", field.text());
        else if (field.tag == varintField(3))
            parts = formatted(" by {}", field.integer());
    }
    return size + parts;
}

std::string shardedDim(const Message &message)
{
    std::string axis = "axis 0", parts;
    MessageReader reader(message);
    for (Field field; reader.next(field);) {
        if (field.tag == varintField(1))
            axis = formatted("axis {}", field.integer());
        else if (field.tag == bytesField(2))
            parts += simpleSharding(field.payload);
    }
    return axis + parts;
}

std::string deviceGroup(const Message &message)
{
    std::string key = "0", devices;
    MessageReader reader(message);
    for (Field field; reader.next(field);) {
        if (field.tag == varintField(1))
            key = formatted("{}", field.integer());
        else if (field.number() == 2)
            devices += numbersOf(field);
    }
    return formatted(" group {} ={}", key, devices);
}

std::string shardingSpec(const Message &message)
{
    std::string tensor, devices, groups, dims;
    MessageReader reader(message);
    for (Field field; reader.next(field);) {
        if (field.tag == bytesField(1))
            tensor = field.text();
        else if (field.number() == 2)
            devices += numbersOf(field);
        else if (field.tag == bytesField(3))
            groups += deviceGroup(field.payload);
        else if (field.tag == bytesField(4))
            dims += (dims.empty() ? ": " : ", ") + shardedDim(field.payload);
    }
    return formatted("{} on{}{}{}", tensor, devices, groups, dims);
}

} // namespace

std::string describeDevices(const Message &configuration)
{
    std::string name, devices;
    std::int64_t count = 0;
    MessageReader reader(configuration);
    for (Field field; reader.next(field);) {
        if (field.tag == bytesField(1))
            name = field.text();
        else if (field.tag == varintField(2))
            count = field.integer();
        else if (field.tag == bytesField(3))
            devices += " " + std::string(field.text());
    }
    return formatted("{}: {} devices{}{}", name, count, devices.empty() ? "" : ",", devices);
}

std::string describeNodeDevices(const Message &configuration)
{
    std::string id, stage, shardings;
    MessageReader reader(configuration);
    for (Field field; reader.next(field);) {
        if (field.tag == bytesField(1))
            id = field.text();
        else if (field.tag == bytesField(2))
            shardings += "; " + shardingSpec(field.payload);
        else if (field.tag == varintField(3))
            stage = formatted(", stage {}", field.integer());
    }
    return id + shardings + stage;
}

} // namespace cutaway::formats::onnx
