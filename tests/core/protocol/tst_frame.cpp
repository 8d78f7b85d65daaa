// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/frame.h"

#include <gtest/gtest.h>
#include <vector>

namespace cutaway::protocol {

namespace {

/// Everything that a reader gives for bytes that come in pieces of a size: frames, then the error or the end's verdict.
struct Told {
    std::vector<Frame> frames;
    std::string error;
    bool operator==(const Told &) const = default;
};

Told tell(std::string_view bytes, std::size_t piece)
{
    Told told;
    FrameReader reader;
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
        reader.append(bytes.substr(at, piece));
        for (;;) {
            auto frame = reader.next();
            if (!frame) {
                told.error = frame.error().text();
                return told;
            }
            if (!*frame)
                break;
            told.frames.push_back(std::move(**frame));
        }
    }
    if (auto end = reader.finish(); !end)
        told.error = end.error().text();
    return told;
}

struct Row {
    const char *label;
    std::string bytes;
    std::vector<Frame> frames;
    const char *error = "";
};

class Framing : public testing::TestWithParam<Row> { };

TEST_P(Framing, isTheSameInWhateverPiecesItComes)
{
    const Row &row = GetParam();
    const Told whole = tell(row.bytes, row.bytes.size() + 1);
    EXPECT_EQ(whole.frames, row.frames);
    EXPECT_EQ(whole.error, row.error);
    for (const std::size_t piece : {1u, 7u, 20u}) {
        const Told pieces = tell(row.bytes, piece);
        EXPECT_EQ(pieces.frames, row.frames) << piece;
        EXPECT_EQ(pieces.error.empty(), whole.error.empty()) << pieces.error;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Rows, Framing,
    testing::Values(
        Row{"Nothing", "", {}}, Row{"One", "Content-Length: 2\r\n\r\n{}", {{"{}", ""}}},
        Row{"Empty", "Content-Length: 0\r\n\r\n", {{"", ""}}},
        Row{"TwoAfterEachOther", "Content-Length: 2\r\n\r\n{}Content-Length: 1\r\n\r\n1", {{"{}", ""}, {"1", ""}}},
        Row{"Payload", "Content-Length: 2\r\nPayload-Length: 3\r\n\r\n{}\r\nC", {{"{}", "\r\nC"}}},
        Row{"PayloadFirst", "Payload-Length: 1\r\nContent-Length: 2\r\n\r\n{}x", {{"{}", "x"}}},
        Row{"TypeOfContent", "Content-Length: 2\r\nContent-Type: application/json\r\n\r\n{}", {{"{}", ""}}},
        Row{"LinesOfUnix", "Content-Length:2\n\n{}", {{"{}", ""}}},
        Row{"Garbage",
            "Hello, world\n",
            {},
            "wrote something that is not a message: 'Hello, world' (byte 0 of its output)"},
        Row{"GarbageWithoutLine",
            "Loading",
            {},
            "wrote something that is not a message: 'Loading' (byte 0 of its output)"},
        Row{"GarbageLikeAField",
            "Content: yes\r\n",
            {},
            "wrote something that is not a message: 'Content: yes' (byte 0 of its output)"},
        Row{"GarbageOfBytes",
            std::string("\x80\x02\x00\n", 4),
            {},
            "wrote something that is not a message: '\uFFFD\\x02\\x00' (byte 0 of its output)"},
        Row{"GarbageBehindAMessage",
            "Content-Length: 2\r\n\r\n{}oops\n",
            {{"{}", ""}},
            "wrote something that is not a message: 'oops' (byte 23 of its output)"},
        Row{"LongLine",
            "Content-Type: " + std::string(2000, 'x'),
            {},
            "wrote something that is not a message: 'Content-Type: "
            "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…' (byte 0 of its output)"},
        Row{"NoLength",
            "Content-Type: x\r\n\r\n{}",
            {},
            "wrote a message whose header has no Content-Length (byte 0 of its output)"},
        Row{"LengthOfWords",
            "Content-Length: two\r\n\r\n{}",
            {},
            "wrote a message whose Content-Length is 'two', no number (byte 0 of its output)"},
        Row{"NegativeLength",
            "Content-Length: -2\r\n\r\n{}",
            {},
            "wrote a message whose Content-Length is '-2', no number (byte 0 of its output)"},
        Row{"HugeLength",
            "Content-Length: 18446744073709551615\r\n\r\n",
            {},
            "wrote a message whose Content-Length is 18446744073709551615; 67108864 is the most that is read (byte 0 "
            "of "
            "its output)"},
        Row{"LengthBeyond64Bits",
            "Content-Length: 99999999999999999999\r\n\r\n",
            {},
            "wrote a message whose Content-Length is '99999999999999999999', no number (byte 0 of its output)"},
        Row{"HugePayload",
            "Content-Length: 2\r\nPayload-Length: 4294967297\r\n\r\n",
            {},
            "wrote a message whose Payload-Length is 4294967297; 4294967296 is the most that is read (byte 0 of its "
            "output)"},
        Row{"CutInItsHeader",
            "Content-Length: 2\r\n",
            {},
            "ended its output within the header of a message (byte 0 of its output)"},
        Row{"CutInItsContent",
            "Content-Length: 20\r\n\r\n{\"id\"",
            {},
            "ended its output within a message: 5 of 20 bytes are there (byte 22 of its output)"}),
    [](const auto &row) { return row.param.label; });

TEST(FrameReader, readsBackWhatIsPrinted)
{
    const Frame frame{"{\"a\":1}", std::string("\0\r\n\r\n", 5)};
    EXPECT_EQ(tell(printFrame(frame), 3).frames, std::vector{frame});
    EXPECT_EQ(printFrame({"{}", ""}), "Content-Length: 2\r\n\r\n{}");
}

TEST(FrameReader, countsBytesOverMoreThanItHolds)
{
    std::string bytes;
    for (int i = 0; i < 1000; ++i)
        bytes += "Content-Length: 2\r\n\r\n{}";
    EXPECT_TRUE(tell(bytes + "?", 1).error.contains("byte 23000")) << tell(bytes + "?", 1).error;
}

} // namespace

} // namespace cutaway::protocol
