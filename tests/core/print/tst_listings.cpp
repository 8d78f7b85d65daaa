// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/listings.h"
#include "tests/core/ir/parsed.h"

#include <gtest/gtest.h>

namespace cutaway::test {
namespace {

const char *const text = R"(model "m"
storage 0: 48 bytes missing "-"
tensor @a.w: float16[2, 3] parameter in storage 0
tensor @a.mean: float32[3] buffer in storage 0
tensor @seed: int64[] buffer in storage 0 transient
tensor @k: float32[1] in storage 0
module 0 "" class "net.Net" tensors(@seed, @k) attributes(twice: tensor[*] = @a.w)
module 1 in 0 "a" class "Part" tensors(@a.w, @a.mean)
attachment "code/__torch__/net.py" text "class Net(Module):\n  def forward(self,\n    x: Tensor) -> Tensor:\n    return x\n\n  def other(self) -> int:\n    return 1\ndef free() -> int:\n  return 2\n"
attachment "extra/notes.txt" text "hello"
graph @forward(parameter %w: float16[2, 3] = @a.w target "a.w", buffer %s: int64[] = @seed target "seed", %x: float32[n, 3], custom_object %self: module "__torch__.net.Net") -> (buffer_mutation %s target "seed", user %x) {
  return %s, %x
}
method @__torch__.net.Net.forward() {
  return none named "output_0"
}
method @__torch__.net.Net.other() {
  return 1 named "output_0"
}
function @__torch__.net.free() {
  return 2 named "output_0"
}
)";

TEST(Listings, haveTheSignatureByKinds)
{
    EXPECT_EQ(print::signatureListing(parsed(text), ir::FunctionId{0}), R"(# inputs
w     PARAMETER   target='a.w'                    float16[2, 3]
s     BUFFER      target='seed' persistent=False  int64[]
x     USER_INPUT                                  float32[n, 3]
self  CUSTOM_OBJ                                  module "__torch__.net.Net"

# outputs
s  BUFFER_MUTATION  target='seed'  int64[]
x  USER_OUTPUT                     float32[n, 3]
)");
}

TEST(Listings, haveTheConstantsOfTheSignature)
{
    const char *const constants = R"(model "m"
graph @forward(%x: float32[3], constant_input ref 1 named "times", constant_input ref "fast" named "mode") {
  return %x, none, 3
}
)";
    EXPECT_EQ(print::signatureListing(parsed(constants), ir::FunctionId{0}), R"(# inputs
x      USER_INPUT  float32[3]
times  USER_INPUT  value=1
mode   USER_INPUT  value="fast"

# outputs
x  USER_OUTPUT  float32[3]
   USER_OUTPUT  value=None
   USER_OUTPUT  value=3
)");
}

TEST(Listings, haveTheModulesThatCanBeUnflattened)
{
    ir::Model model = parsed(text);
    const std::string leaf = R"({"type":null,"context":null,"children_spec":[]})";
    const std::string pair =
        R"({"type":"builtins.tuple","context":"null","children_spec":[)" + leaf + "," + leaf + "]}";
    model.metadata.emplace_back("in_spec", "[1," + pair + "]");
    model.metadata.emplace_back("in_spec of a.b", "[1," + pair + "]");
    model.metadata.emplace_back("out_spec of a.b",
                                R"([1,{"type":"builtins.dict","context":"[\"y\"]","children_spec":[)" + pair + "]}]");
    model.metadata.emplace_back("in_spec of c", R"([1,{"type":"package.Class","context":"","children_spec":[]}])");
    const std::string listing = print::signatureListing(model, ir::FunctionId{0});
    EXPECT_TRUE(listing.ends_with(R"(
# module calls
a.b  in_spec=(*, *)  out_spec={"y": (*, *)}
c    in_spec=?       out_spec=?
)")) << listing;
}

TEST(Listings, haveTheStateByEveryName)
{
    EXPECT_EQ(print::stateListing(parsed(text)), R"(twice   float16  [2, 3]  12
a.w     float16  [2, 3]  12
a.mean  float32  [3]     12
)");
}

TEST(Listings, haveTheOtherFiles)
{
    EXPECT_EQ(print::fileListing(parsed(text)), "code/__torch__/net.py  148\nextra/notes.txt          5\n");
}

TEST(Listings, haveTheSourceOfTheFile)
{
    const ir::Model model = parsed(text);
    const auto of = [&](std::uint32_t function) {
        const auto source = print::sourceText(model, ir::FunctionId{function});
        return source ? *source : source.error().text();
    };
    EXPECT_EQ(of(0), "  def forward(self,\n    x: Tensor) -> Tensor:\n    return x\n");
    EXPECT_EQ(of(2), "  def other(self) -> int:\n    return 1\n");
    EXPECT_EQ(of(3), "def free() -> int:\n  return 2\n");
    EXPECT_TRUE(print::sourceText(model)->starts_with("# code/__torch__/net.py\nclass Net(Module):\n"));
    const ir::Model saved =
        parsed("model \"m\"\nattachment \"forward.py\" text \"def forward(self, x):\\n    return x\\n\"\n"
               "graph @forward(%x: int) { return %x }\n");
    EXPECT_EQ(print::sourceText(saved), "# forward.py\ndef forward(self, x):\n    return x\n");
    EXPECT_EQ(print::sourceText(saved, ir::FunctionId{0}), "def forward(self, x):\n    return x\n");
    const ir::Model other = parsed("model \"m\"\ngraph @forward(%x: int) { return %x }\n");
    EXPECT_EQ(print::sourceText(other).error().text(), "the file has no source code of its own");
    EXPECT_EQ(print::sourceText(other, ir::FunctionId{0}).error().text(), "the file has no source code of 'forward'");
}

} // namespace
} // namespace cutaway::test
