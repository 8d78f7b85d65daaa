// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/methods.h"

#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace protocol = cutaway::protocol;

namespace {

/// What can be read prints as a message that reads and prints the same.
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
