// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/backend.h"

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string_view>

namespace protocol = cutaway::protocol;

namespace {

/// A method that can be read prints as the same, and its tensors lie within the payload.
template <class T>
std::optional<T> comesBack(const protocol::Json &params)
{
    auto value = protocol::parse<T>(params);
    if (!value)
        return std::nullopt;
    const protocol::Json printed = protocol::print(*value);
    const auto again = protocol::parse<T>(printed);
    if (!again || protocol::print(*again) != printed)
        std::abort();
    return std::move(*value);
}

void checkBackend(const protocol::Request &request)
{
    (void)comesBack<protocol::Load>(request.params);
    (void)comesBack<protocol::Load::Result>(request.params);
    (void)comesBack<protocol::Profile>(request.params);
    (void)comesBack<protocol::Profile::Result>(request.params);
    (void)comesBack<protocol::Unload>(request.params);
    if (const auto run = comesBack<protocol::Run>(request.params))
        for (const protocol::ModelInput &input : run->inputs)
            if (const auto *sent = std::get_if<protocol::SentTensor>(&input))
                if (const auto tensor = protocol::receive(*sent, request.payload); tensor && !protocol::check(*tensor))
                    std::abort();
    if (const auto result = comesBack<protocol::Run::Result>(request.params))
        for (const protocol::ModelOutput &output : result->outputs)
            if (const auto *sent = std::get_if<protocol::SentTensor>(&output))
                (void)protocol::receive(*sent, request.payload);
}

/// A message that can be read prints as one that reads and prints the same.
void checkMessage(const protocol::Frame &frame)
{
    const auto message = protocol::parseMessage(frame);
    if (!message)
        return;
    const protocol::Frame printed = protocol::printMessage(*message);
    const auto again = protocol::parseMessage(printed);
    if (!again || protocol::printMessage(*again) != printed)
        std::abort();
    if (const auto *request = std::get_if<protocol::Request>(&*message)) {
        (void)protocol::parse<protocol::Initialize>(request->params);
        (void)protocol::parse<protocol::Transform>(request->params);
        (void)protocol::parse<protocol::Devices::Result>(request->params);
        (void)protocol::parse<protocol::Passes::Result>(request->params);
        checkBackend(*request);
    }
}

} // namespace

/// The first byte says in which pieces the others come; they must not change what is read.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    if (size == 0)
        return 0;
    const std::size_t piece = data[0] + std::size_t{1};
    const std::string_view bytes(reinterpret_cast<const char *>(data + 1), size - 1);
    protocol::FrameReader whole, pieces;
    whole.append(bytes);
    for (std::size_t at = 0; at < bytes.size(); at += piece)
        pieces.append(bytes.substr(at, piece));
    for (;;) {
        const auto frame = whole.next();
        if (frame != pieces.next())
            std::abort();
        if (!frame || !*frame)
            return 0;
        checkMessage(**frame);
    }
}
