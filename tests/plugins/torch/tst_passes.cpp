// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/plugins/torch/torch_plugin.h"

#include <filesystem>
#include <fstream>
#include <map>

namespace cutaway::protocol {

namespace {

/// Parameters of ones.
const std::string weights =
    R"(storage 0: 24 bytes data "\x00\x00\x80\x3f\x00\x00\x80\x3f\x00\x00\x80\x3f\x00\x00\x80\x3f\x00\x00\x80\x3f\x00\x00\x80\x3f"
tensor @w: float32[2, 3] parameter in storage 0
tensor @u: float32[2, 3] parameter in storage 0
tensor @k: float32[1, 1, 1, 1] parameter in storage 0
tensor @m: float32[1, 1] parameter in storage 0
tensor @v: float32[1] parameter in storage 0
)";

struct PassRow {
    std::string name;
    std::string pass;
    std::string graph;    ///< a graph with (%x: float32[2, 3], %n: int, %c: bool)
    std::string expected; ///< likewise; or the refusal
};
void PrintTo(const PassRow &row, std::ostream *out) { *out << row.name; }

std::string bodyOf(const std::string &text)
{
    const std::size_t begin = text.find("graph @forward");
    return begin == std::string::npos ? text : text.substr(begin);
}

std::string withInputs(const std::string &graph) { return "(%x: float32[2, 3], %n: int, %c: bool) " + graph; }

/// The graph as it is after the pass, or what the plugin says.
std::string passed(const std::string &pass, const std::string &json)
{
    Conversation plugin = torchPlugin();
    const auto request = plugin.ask(Transform{pass, Json::object(), "forward"}, json);
    plugin.hold();
    if (const Failure failure = plugin.failure(request); failure.message != "none")
        return failure.message;
    const auto model = ir::parseJson(plugin.answer(request).payload);
    return model ? bodyOf(ir::printText(*model)) : model.error().text();
}

class TorchPasses : public testing::TestWithParam<PassRow> { };

TEST_P(TorchPasses, makeTheGraphAnother)
{
    const PassRow &row = GetParam();
    const std::string after = passed(row.pass, jsonOf(withInputs(row.graph), weights));
    if (!row.expected.starts_with("{") && !row.expected.starts_with("next")) {
        EXPECT_EQ(after, row.expected);
        return;
    }
    const auto wanted = ir::parseText("model \"m\"\n" + weights + "graph @forward" + withInputs(row.expected) + "\n");
    ASSERT_TRUE(wanted) << wanted.error().text();
    EXPECT_EQ(after, bodyOf(ir::printText(*wanted)));
}

std::string passRowName(const testing::TestParamInfo<PassRow> &row) { return row.param.name; }

INSTANTIATE_TEST_SUITE_P(
    Simplified, TorchPasses,
    testing::Values(
        PassRow{"nothingToDo", "cse",
                R"({ %a: float32[2, 3] = aten::relu(self=%x) name "act" in act at "m.py":3 return %a })",
                R"({ %a: float32[2, 3] = aten::relu(self=%x) name "act" in act at "m.py":3 return %a })"},
        PassRow{"lengthOfAList", "peephole",
                R"({ %l: list<int> = prim::ListConstruct(1, %n) %k: int = aten::len.t(a=%l)
               %r = aten::add.Scalar(self=%x, other=%k) return %r })",
                R"({ #2 %r = aten::add.Scalar(self=%x, other=2) return %r })"},
        PassRow{"numbersOfConstants", "constant-propagation",
                R"({ %k: int = aten::add.int(a=2, b=3) %r = aten::mul.Scalar(self=%x, other=%k) return %r })",
                R"({ #1 %r = aten::mul.Scalar(self=%x, other=5) return %r })"},
        PassRow{"weightsAreNoConstants", "constant-propagation",
                R"({ weight %w: float32[2, 3] = @w %a: float32[2, 3] = aten::neg(self=%w)
               %r = aten::mul.Tensor(self=%x, other=%a) return %r })",
                R"({ weight %w: float32[2, 3] = @w %a: float32[2, 3] = aten::neg(self=%w)
               %r = aten::mul.Tensor(self=%x, other=%a) return %r })"},
        PassRow{"weightsThatAreWrittenTo", "freeze",
                R"({ weight %w: float32[2, 3] = @w %b = aten::add_.Scalar(self=%w, other=1)
               %a: float32[2, 3] = aten::neg(self=%w) %r = aten::mul.Tensor(self=%x, other=%a) return %r })",
                R"({ weight %w: float32[2, 3] = @w %b = aten::add_.Scalar(self=%w, other=1)
               %a: float32[2, 3] = aten::neg(self=%w) %r = aten::mul.Tensor(self=%x, other=%a) return %r })"},
        PassRow{"weightsOfTheSameElements", "freeze",
                R"({ weight %w: float32[2, 3] = @w weight %u: float32[2, 3] = @u
               %a = aten::mul.Tensor(self=%x, other=%w) %r = aten::sub.Tensor(self=%a, other=%u)
               return %r })",
                R"({ weight %w: float32[2, 3] = @w weight %u: float32[2, 3] = @u
               %a = aten::mul.Tensor(self=%x, other=%w) %r = aten::sub.Tensor(self=%a, other=%u)
               return %r })"},
        PassRow{"twiceTheSame", "cse",
                R"({ %a = aten::neg(self=%x) %b = aten::neg(self=%x) %r = aten::mul.Tensor(self=%a, other=%b)
               return %r })",
                R"({ %a = aten::neg(self=%x) #2 %r = aten::mul.Tensor(self=%a, other=%a) return %r })"},
        PassRow{"whatNobodyReads", "dce", R"({ %a = aten::neg(self=%x) %b = aten::relu(self=%x) return %b })",
                R"({ #1 %b = aten::relu(self=%x) return %b })"},
        PassRow{"whatWritesStays", "dce", R"({ %a = aten::neg_(self=%x) %b = aten::relu(self=%x) return %b })",
                R"({ %a = aten::neg_(self=%x) %b = aten::relu(self=%x) return %b })"},
        PassRow{"aBranchThatIsTaken", "constant-propagation",
                R"({ %r: float32[2, 3] = prim::If(cond=true) region "then" {
               %a: float32[2, 3] = aten::neg(self=%x) name "n" in m at "m.py":7 return %a }
               region "else" { return %x } return %r })",
                R"({ #1 %a: float32[2, 3] = aten::neg(self=%x) name "n" in m at "m.py":7 return %a named "r" })"},
        PassRow{"aBranchThatIsNeverTaken", "constant-propagation",
                R"({ prim::If(cond=%c) region "then" { %s: list<int> = aten::size(self=none)
               prim::RaiseException(msg="no") } region "else" { } return %x })",
                R"({ prim::If(cond=%c) region "then" { %s: list<int> = aten::size(self=none)
               prim::RaiseException(msg="no") } region "else" { } return %x })"},
        PassRow{"aResultOfABranchThatNobodyReads", "dce",
                R"({ %r: float32[2, 3], %s: int = prim::If(cond=%c) region "then" {
               %a: float32[2, 3] = aten::neg(self=%x) return %a, 1 } region "else" { return %x, %n }
               return %r })",
                R"({ %r: float32[2, 3], %s: none = prim::If(cond=%c) region "then" {
               %a: float32[2, 3] = aten::neg(self=%x) return %a, none } region "else" { return %x, none }
               return %r })"},
        PassRow{"aResultOfALoopThatNobodyReads", "dce",
                R"({ %r: float32[2, 3], %s: int = prim::Loop(trip_count=%n, cond=true, %x, 0)
               region "body" (%i: int, %y: float32[2, 3], %k: int) {
               %z: float32[2, 3] = aten::neg(self=%y) return true, %z, 5 } return %r })",
                R"({ %r: float32[2, 3], %s: int = prim::Loop(trip_count=%n, cond=true, %x, 0)
               region "body" (%i: int, %y: float32[2, 3], %k: int) {
               %z: float32[2, 3] = aten::neg(self=%y) return true, %z, %k } return %r })"},
        PassRow{"tuplesThatAreTakenApart", "lower-simple-tuples",
                R"({ %t: tuple<float32[2, 3], int> = prim::TupleConstruct(%x, %n)
               %a: float32[2, 3], %b: int = prim::TupleUnpack(%t) %r = aten::mul.Scalar(self=%a, other=%b)
               return %r })",
                R"({ #2 %r = aten::mul.Scalar(self=%x, other=%n) return %r })"},
        PassRow{"dropoutOutOfTraining", "remove-dropout",
                R"({ %a = aten::dropout(input=%x, p=0.5, train=false) %r = aten::relu(self=%a) return %r })",
                R"({ #1 %r = aten::relu(self=%x) return %r })"},
        PassRow{"checks", "remove-exceptions",
                R"({ prim::If(cond=%c) region "then" {
               prim::RaiseException(msg="no", cls="builtins.ValueError") } region "else" { }
               %r = aten::relu(self=%x) return %r })",
                R"({ #2 %r = aten::relu(self=%x) return %r })"},
        PassRow{"detach", "no-ops", R"({ %a = aten::detach(self=%x) %r = aten::relu(self=%a) return %r })",
                R"({ #1 %r = aten::relu(self=%x) return %r })"},
        PassRow{"absolute", "normalize", R"({ %r = aten::absolute(self=%x) return %r })",
                R"({ #1 %abs: tensor[*] = aten::abs(self=%x) name "" from #0 return %abs named "r" })"}),
    passRowName);

INSTANTIATE_TEST_SUITE_P(
    Rewritten, TorchPasses,
    testing::Values(
        PassRow{"listsThatGrow", "remove-mutation",
                R"({ %l: list<tensor[*]> = prim::ListConstruct(%x)
               %m: list<tensor[*]> = aten::append.t(self=%l, el=%x) %r = aten::cat(tensors=%l, dim=0)
               return %r })",
                R"({ %l: list<tensor[*]> = prim::ListConstruct(%x, %x) #2 %r = aten::cat(tensors=%l, dim=0)
               return %r })"},
        PassRow{"writesInPlace", "remove-mutation",
                R"({ %a = aten::neg(self=%x) %b = aten::add_.Scalar(self=%a, other=1, alpha=1)
               %r = aten::relu(self=%a) return %r })",
                R"({ %a = aten::neg(self=%x) #3
               %add: tensor[*] = aten::add.Scalar(self=%a, other=1, alpha=1) name "" from #1 #2
               %r = aten::relu(self=%add) return %r })"},
        PassRow{"activationsInPlace", "functional-activations",
                R"({ %a = aten::neg(self=%x) %r = aten::relu_(self=%a) return %r })",
                R"({ %a = aten::neg(self=%x) #2 %relu: tensor[*] = aten::relu(self=%a) name "" from #1
               return %relu named "r" })"},
        PassRow{"turnsOfALoop", "unroll-constant-loops",
                R"({ %r: float32[2, 3] = prim::Loop(trip_count=2, cond=true, %x)
               region "body" (%i: int, %y: float32[2, 3]) {
               %z: float32[2, 3] = aten::add.Scalar(self=%y, other=%i) at "m.py":3 return true, %z }
               return %r })",
                R"({ #1 %z: float32[2, 3] = aten::add.Scalar(self=%x, other=0) at "m.py":3
               %add: int = aten::add.int(a=0, b=1) name "" at "m.py":3 from #1
               %z#1: float32[2, 3] = aten::add.Scalar(self=%z, other=%add) name "" at "m.py":3 from #1
               return %z#1 named "r" })"},
        PassRow{"productAndSum", "fuse-linear",
                R"({ weight %w: float32[2, 3] = @w weight %v: float32[1] = @v %t = aten::t(self=%w)
               %p = aten::matmul(self=%x, other=%t) %r = aten::add.Tensor(self=%p, other=%v, alpha=1)
               return %r })",
                R"({ weight %w: float32[2, 3] = @w weight %v: float32[1] = @v #3
               %linear: tensor[*] = aten::linear(input=%x, weight=%w, bias=none) name "" from #1 #2
               %r = aten::add.Tensor(self=%linear, other=%v, alpha=1) return %r })"},
        PassRow{"addmm", "decompose-ops",
                R"({ weight %w: float32[2, 3] = @w %t = aten::t(self=%w)
               %r = aten::addmm(self=%x, mat1=%x, mat2=%t, beta=1, alpha=1) return %r })",
                R"({ weight %w: float32[2, 3] = @w %t = aten::t(self=%w) #2
               %mm: tensor[*] = aten::mm(self=%x, mat2=%t) name "" from #1
               %add: tensor[*] = aten::add.Tensor(self=%x, other=%mm, alpha=1) name "" from #1
               return %add named "r" })"},
        PassRow{"concatsOfConcats", "combine-concats",
                R"({ %a = aten::cat(tensors=[%x, %x], dim=0) %b = aten::cat(tensors=[%a, %x], dim=0) return %b })",
                R"({ #2 %ListConstruct: list<tensor[*]> = prim::ListConstruct(%x, %x, %x) name "" from #0 #1
               %b = aten::cat(tensors=%ListConstruct, dim=0) return %b })"}),
    passRowName);

INSTANTIATE_TEST_SUITE_P(
    Folded, TorchPasses,
    testing::Values(PassRow{"whatFollowsFromWeights", "freeze",
                            R"({ weight %w: float32[2, 3] = @w %a: float32[2, 3] = aten::neg(self=%w)
               %r = aten::mul.Tensor(self=%x, other=%a) return %r })",
                            R"(graph @forward(%x: float32[2, 3], %n: int, %c: bool) {
  weight %w: float32[2, 3] = @w
  weight %a: float32[2, 3] = @a
  #1 %r = aten::mul.Tensor(self=%x, other=%a)
  return %r
}
)"},
                    PassRow{"batchNorm", "fold-conv-bn",
                            R"({ weight %k: float32[1, 1, 1, 1] = @k weight %v: float32[1] = @v
               %a = aten::conv2d(input=%x, weight=%k)
               %r = aten::batch_norm(input=%a, weight=%v, bias=%v, running_mean=%v, running_var=%v, training=false, momentum=0.1, eps=0.0, cudnn_enabled=true)
               return %r })",
                            R"(graph @forward(%x: float32[2, 3], %n: int, %c: bool) next #2 {
  weight %k: float32[1, 1, 1, 1] = @k
  weight %v: float32[1] = @v
  weight %k#1: float32[1, 1, 1, 1] = @k#1
  weight %bias: float32[1] = @bias
  %a = aten::conv2d(input=%x, weight=%k#1, bias=%bias)
  return %a named "r"
}
)"},
                    PassRow{"sum", "fold-conv-add",
                            R"({ weight %k: float32[1, 1, 1, 1] = @k weight %v: float32[1] = @v
               %a = aten::conv2d(input=%x, weight=%k, bias=%v)
               %r = aten::add.Scalar(self=%a, other=1, alpha=1) return %r })",
                            R"(graph @forward(%x: float32[2, 3], %n: int, %c: bool) next #2 {
  weight %k: float32[1, 1, 1, 1] = @k
  weight %v: float32[1] = @v
  weight %v#1: float32[1] = @v#1
  %a = aten::conv2d(input=%x, weight=%k, bias=%v#1)
  return %a named "r"
}
)"},
                    PassRow{"product", "fold-conv-mul",
                            R"({ weight %k: float32[1, 1, 1, 1] = @k weight %v: float32[1] = @v
               %a = aten::conv2d(input=%x, weight=%k, bias=%v) %r = aten::mul.Scalar(self=%a, other=2)
               return %r })",
                            R"(graph @forward(%x: float32[2, 3], %n: int, %c: bool) next #2 {
  weight %k: float32[1, 1, 1, 1] = @k
  weight %v: float32[1] = @v
  weight %k#1: float32[1, 1, 1, 1] = @k#1
  weight %v#1: float32[1] = @v#1
  %a = aten::conv2d(input=%x, weight=%k#1, bias=%v#1)
  return %a named "r"
}
)"},
                    PassRow{"linearBatchNorm", "fold-linear-bn",
                            R"({ weight %m: float32[1, 1] = @m weight %v: float32[1] = @v
               %a = aten::linear(input=%x, weight=%m)
               %r = aten::batch_norm(input=%a, weight=%v, bias=%v, running_mean=%v, running_var=%v, training=false, momentum=0.1, eps=0.0, cudnn_enabled=true)
               return %r })",
                            R"(graph @forward(%x: float32[2, 3], %n: int, %c: bool) next #2 {
  weight %m: float32[1, 1] = @m
  weight %v: float32[1] = @v
  weight %m#1: float32[1, 1] = @m#1
  weight %bias: float32[1] = @bias
  %a = aten::linear(input=%x, weight=%m#1, bias=%bias)
  return %a named "r"
}
)"}),
    passRowName);

INSTANTIATE_TEST_SUITE_P(
    NotKnownToTorch, TorchPasses,
    testing::Values(
        PassRow{"operatorsOfOthersStay", "dce",
                R"({ %a = onnx::Relu(%x) %b = my::op([%a, %x], k={"y": %a}) %u = aten::neg(self=%x) return %b })",
                R"(graph @forward(%x: float32[2, 3], %n: int, %c: bool) next #3 {
  %a = onnx::Relu(%x)
  %b = my::op([%a, %x], k={"y": %a})
  return %b
}
)"},
        PassRow{"theyMayWriteToWhatTheyRead", "cse",
                R"({ %a: float32[2, 3] = aten::neg(self=%x) %b = my::op(%x)
               %r: float32[2, 3] = aten::neg(self=%x) return %a, %r })",
                R"({ %a: float32[2, 3] = aten::neg(self=%x) %b = my::op(%x)
               %r: float32[2, 3] = aten::neg(self=%x) return %a, %r })"},
        PassRow{"dictionariesOfValues", "dce",
                R"({ %r: tensor[*] = aten::__getitem__.Dict_str(self={"a": %x}, key="a") return %r })",
                R"({ %r: tensor[*] = aten::__getitem__.Dict_str(self={"a": %x}, key="a") return %r })"},
        PassRow{"attributes", "dce", R"({ %a: tensor[*] = prim::GetAttr(self=%x, name="w") return %a })",
                R"({ %a: tensor[*] = prim::GetAttr(self=%x, name="w") return %a })"}),
    passRowName);

INSTANTIATE_TEST_SUITE_P(
    Refused, TorchPasses,
    testing::Values(PassRow{"regionsThatTorchDoesNotKnow", "dce",
                            R"({ %a = prim::fork() region "body" { return %x } %b = onnx::If(%c) region "then"
               { return %x } region "else" { return %x } return %a, %b })",
                            R"(torch's graphs cannot hold onnx::If, prim::fork)"},
                    PassRow{"callsThatMayWriteToConstants", "freeze",
                            R"({ %a = prim::CallMethod(%x, method="forward") return %a })",
                            R"(torch's graphs cannot hold prim::CallMethod)"},
                    PassRow{"noSuchPass", "tidy", R"({ return %x })", R"(torch has no pass 'tidy')"}),
    passRowName);

TEST(TorchPassesAsAWhole, ofTheManifestAreThere)
{
    std::ifstream file(std::filesystem::path(CUTAWAY_PLUGIN).parent_path() / "plugin.json");
    const Json manifest = Json::parse(file);
    const std::string json = jsonOf("(%x: float32[2]) { %r: float32[2] = aten::relu(self=%x) return %r }");
    Conversation plugin = torchPlugin();
    std::map<std::string, RequestId> requests;
    for (const Json &pass : manifest.at("provides").at("passes")) {
        const auto name = pass.at("name").get<std::string>();
        requests[name] = plugin.ask(Transform{name, Json::object(), "forward"}, json);
    }
    plugin.hold();
    EXPECT_GT(requests.size(), 10u);
    for (const auto &[name, request] : requests)
        EXPECT_EQ(plugin.answer(request).payload, json) << name << plugin.failure(request).message;
}

TEST(TorchPassesAsAWhole, keepWeightsThatAreUpdatedFromCallToCall)
{
    const auto frozen = [](const std::string &output) {
        return passed("freeze",
                      jsonOf("(buffer weight %w: float32[2, 3] = @w target \"count\") -> (" + output
                                 + " target \"count\", user %b) { %a: float32[2, 3] = aten::neg(self=%w) "
                                   "%b: float32[2, 3] = aten::relu(self=%a) return %a, %b }",
                             weights));
    };
    EXPECT_NE(frozen("buffer_mutation %a").find("aten::neg"), std::string::npos) << frozen("buffer_mutation %a");
    EXPECT_EQ(frozen("user %a").find("aten::neg"), std::string::npos) << frozen("user %a");
}

TEST(TorchPassesAsAWhole, saysWhichFunctionIsNotThere)
{
    Conversation plugin = torchPlugin();
    const auto request = plugin.ask(Transform{"dce", Json::object(), "backward"}, jsonOf("(%x: int) { return %x }"));
    const auto broken = plugin.ask(Transform{"dce", Json::object(), "forward"}, "what");
    plugin.hold();
    EXPECT_EQ(plugin.failure(request).message, "the model has no function 'backward'");
    EXPECT_EQ(plugin.failure(request).code, InvalidParams);
    EXPECT_EQ(plugin.failure(broken).code, UnreadableFile);
}

} // namespace

} // namespace cutaway::protocol
