// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/methods.h"

#include <gtest/gtest.h>

namespace cutaway::protocol {

namespace {

struct Sent {
    const char *label;
    Message message;
    const char *json;
};

class Messages : public testing::TestWithParam<Sent> { };

TEST_P(Messages, comeBackAsTheyWere)
{
    const Frame frame = printMessage(GetParam().message);
    EXPECT_EQ(frame.json, GetParam().json);
    const auto again = parseMessage(frame);
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(*again, GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, Messages,
    testing::Values(Sent{"Request", Request{{3}, "import", {{"path", "/a"}}, "payload"},
                         R"({"id":3,"jsonrpc":"2.0","method":"import","params":{"path":"/a"}})"},
                    Sent{"Notification", Notification{"cancel", {{"id", 3}}},
                         R"({"jsonrpc":"2.0","method":"cancel","params":{"id":3}})"},
                    Sent{"Result", Response{RequestId{3}, Json{{"a", 1}}, "bytes"},
                         R"({"id":3,"jsonrpc":"2.0","result":{"a":1}})"},
                    Sent{"Failure", Response{RequestId{3}, Failure{UnreadableFile, "no such file"}},
                         R"({"error":{"code":1,"message":"no such file"},"id":3,"jsonrpc":"2.0"})"},
                    Sent{"FailureOfNoRequest", Response{std::nullopt, Failure{NotJson, "what?"}},
                         R"({"error":{"code":-32700,"message":"what?"},"id":null,"jsonrpc":"2.0"})"}),
    [](const auto &row) { return row.param.label; });

struct RefusedMessage {
    const char *label;
    std::string json;
    const char *error;
};

class RefusedMessages : public testing::TestWithParam<RefusedMessage> { };

TEST_P(RefusedMessages, sayWhatTheSenderDid)
{
    const auto message = parseMessage({GetParam().json, {}});
    ASSERT_FALSE(message);
    EXPECT_EQ(message.error().text(), GetParam().error);
    EXPECT_EQ(message.error().kind, ErrorKind::Backend);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, RefusedMessages,
    testing::Values(
        RefusedMessage{"NoJson", "{\"id\": 1,", "wrote a message that is not JSON: '{\"id\": 1,'"},
        RefusedMessage{"NoText", "\xff", "wrote a message that is not JSON: '\uFFFD'"},
        RefusedMessage{"Deep", std::string(100'000, '['), "wrote a message that is nested more than 256 deep"},
        RefusedMessage{"DeepBehindATextWithBrackets", "{\"id\":\"\\\"]]]\",\"a\":" + std::string(300, '{'),
                       "wrote a message that is nested more than 256 deep"},
        RefusedMessage{"Batch", "[1]", "wrote a message that is neither request nor response: '[1]'"},
        RefusedMessage{"NoMethod", "{\"id\": 1}",
                       "wrote a message that is neither request nor response: '{\"id\": 1}'"},
        RefusedMessage{"IdOfText", "{\"id\": \"a\", \"result\": 1}",
                       "wrote a message with a fault: found \"a\" where an integer of 64 bits is expected (id)"},
        RefusedMessage{"ErrorOfText", "{\"id\": 1, \"error\": \"bad\"}",
                       "wrote a message with a fault: found \"bad\" where an object is expected (error)"}),
    [](const auto &row) { return row.param.label; });

TEST(Message, withTextThatIsNoUtf8CanBeSent)
{
    const Frame frame = printMessage(Notification{"log", {{"message", "\xff"}}});
    EXPECT_TRUE(parseMessage(frame));
}

TEST(Methods, readBackWhatTheyPrint)
{
    const auto answer = parse<Initialize::Result>(print(Initialize::Result{7, "torch", "2.6"}));
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->protocol, 7);
    EXPECT_EQ(answer->name, "torch");
    const auto list = parse<Devices::Result>(print(Devices::Result{{{"cuda:0", "H100", 1u << 30}}}));
    ASSERT_TRUE(list);
    ASSERT_EQ(list->devices.size(), 1u);
    EXPECT_EQ(list->devices[0].memory, 1u << 30);
    const auto transform = parse<Transform>(print(Transform{"fold", {{"n", 2}}, "forward"}));
    ASSERT_TRUE(transform);
    EXPECT_EQ(transform->options, Json({{"n", 2}}));
    EXPECT_EQ(parse<Progress>(print(Progress{"reading", 3, 9}))->total, 9u);
    EXPECT_EQ(parse<Cancel>(print(Cancel{{4}}))->id, RequestId{4});
}

TEST(Methods, leaveAloneWhatTheyDoNotKnow)
{
    const auto answer = parse<Initialize::Result>(Json::parse(R"({"protocol": 1, "colour": "red"})"));
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->protocol, 1);
    EXPECT_EQ(answer->name, "");
}

TEST(Methods, nameTheMemberThatIsWrong)
{
    const auto list = parse<Devices::Result>(Json::parse(R"({"devices": [{"id": "a"}, {"id": 5}]})"));
    ASSERT_FALSE(list);
    EXPECT_EQ(list.error().text(), "wrote a message with a fault: found 5 where a text is expected (devices[1].id)");
    EXPECT_FALSE(parse<Log>(Json("hello")));
}

} // namespace

} // namespace cutaway::protocol
