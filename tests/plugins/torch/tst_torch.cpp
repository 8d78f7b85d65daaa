// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/base/overloaded.h"
#include "core/protocol/supports.h"
#include "tests/plugins/torch/torch_plugin.h"

#include <cstring>

// Expected numbers are those of PyTorch, or follow from the definition.

namespace cutaway::protocol {

namespace {

template <class T>
Tensor tensorOf(ir::DType dtype, std::vector<std::int64_t> shape, const std::vector<T> &elements)
{
    return {dtype, std::move(shape),
            std::string(reinterpret_cast<const char *>(elements.data()), elements.size() * sizeof(T))};
}

template <class T>
std::string elementsOf(const Tensor &tensor)
{
    std::string text;
    for (std::size_t at = 0; at + sizeof(T) <= tensor.bytes.size(); at += sizeof(T)) {
        T element;
        std::memcpy(&element, tensor.bytes.data() + at, sizeof(T));
        text += formatted(" {:.5g}", static_cast<double>(element));
    }
    return text;
}

/// "float32[2] 1 2.5"
std::string textOf(const Tensor &tensor)
{
    std::string sizes;
    for (const std::int64_t size : tensor.shape)
        sizes += (sizes.empty() ? "" : ", ") + std::to_string(size);
    const std::string type = formatted("{}[{}]", ir::name(tensor.dtype), sizes);
    switch (tensor.dtype) {
    case ir::DType::Float32:
        return type + elementsOf<float>(tensor);
    case ir::DType::Float64:
        return type + elementsOf<double>(tensor);
    case ir::DType::Int64:
        return type + elementsOf<std::int64_t>(tensor);
    case ir::DType::Bool:
        return type + elementsOf<std::int8_t>(tensor);
    default:
        return type;
    }
}

std::string textOf(const std::vector<ModelOutput> &outputs, const std::string &payload)
{
    std::string all;
    for (const ModelOutput &output : outputs)
        all += (all.empty() ? "" : "; ")
            + std::visit(Overloaded{[&](const SentTensor &tensor) {
                                        const auto received = receive(tensor, payload);
                                        return received ? textOf(*received) : received.error().text();
                                    },
                                    [](const OpaqueResult &opaque) { return opaque.type; }},
                         output);
    return all;
}

const std::vector<float> ramp{-2, -1, 0, 1, 2, 3};

struct GraphRow {
    std::string name;
    std::string graph; ///< a graph with (%x: float32[2, 3] -2 … 3, %n: int 3, %xs: list of the rows of %x)
    std::string expected;
    std::string header = {};
};
void PrintTo(const GraphRow &row, std::ostream *out) { *out << row.name; }

class Torch : public testing::TestWithParam<GraphRow> { };

TEST_P(Torch, runsAGraph)
{
    Conversation plugin = torchPlugin();
    const auto load = plugin.ask(
        Load{.form = "ir"},
        jsonOf("(%x: float32[2, 3], %n: int, %xs: list<tensor[*]>) { " + GetParam().graph + " }", GetParam().header));
    std::string payload;
    const SentTensor x = send("x", tensorOf(ir::DType::Float32, {2, 3}, ramp), payload);
    const SentTensor top = send("", tensorOf(ir::DType::Float32, {3}, std::vector<float>{-2, -1, 0}), payload);
    const SentTensor bottom = send("", tensorOf(ir::DType::Float32, {3}, std::vector<float>{1, 2, 3}), payload);
    const InputItems xs{"xs", InputItems::Kind::List, {top, bottom}};
    const auto run = plugin.ask(protocol::Run{{1}, {x, PlainInput{"n", 3}, xs}, {}}, payload);
    plugin.hold();
    if (const Failure failure = plugin.failure(load); failure.message != "none") {
        EXPECT_EQ(failure.message, GetParam().expected);
    } else if (const Failure other = plugin.failure(run); other.message != "none") {
        EXPECT_EQ(other.message, GetParam().expected);
    } else {
        EXPECT_EQ(textOf(plugin.result<protocol::Run>(run).outputs, plugin.answer(run).payload), GetParam().expected);
    }
}

std::string graphRowName(const testing::TestParamInfo<GraphRow> &row) { return row.param.name; }

INSTANTIATE_TEST_SUITE_P(
    Arguments, Torch,
    testing::Values(
        GraphRow{"byName", "%r = aten::add.Scalar(self=%x, other=1, alpha=2) return %r", "float32[2, 3] 0 1 2 3 4 5"},
        GraphRow{"byPlace", "%r = aten::mul.Scalar(%x, 2) return %r", "float32[2, 3] -4 -2 0 2 4 6"},
        GraphRow{"overloadFoundByItsArguments", "%r = aten::transpose(self=%x, dim0=0, dim1=1) return %r",
                 "float32[3, 2] -2 1 -1 2 0 3"},
        GraphRow{"numberAsTensor", "%r = aten::add.Tensor(self=%x, other=1) return %r", "float32[2, 3] -1 0 1 2 3 4"},
        GraphRow{"computedNumberAsTensor", "%r = aten::mul.Tensor(self=%x, other=%n) return %r",
                 "float32[2, 3] -6 -3 0 3 6 9"},
        GraphRow{"tensorAsNumber", "%s = aten::sum(self=%x) %r = aten::add.Scalar(self=%x, other=%s) return %r",
                 "float32[2, 3] 1 2 3 4 5 6"},
        GraphRow{"numberAsList", "%r = aten::sum.dim_IntList(self=%x, dim=1) return %r", "float32[2] -3 6"},
        GraphRow{"listWithValues",
                 "%s: int = aten::mul.int(a=%n, b=2) %r = aten::view(self=%x, size=[%s, 1]) return %r",
                 "float32[6, 1] -2 -1 0 1 2 3"},
        GraphRow{"optionalIndices",
                 "%i: tensor[*] = aten::arange(end=1) %r = aten::index.Tensor(self=%x, indices=[none, %i]) return %r",
                 "float32[2, 1] -2 1"},
        GraphRow{"dtype", "%r = aten::to.dtype(self=%x, dtype=int64) return %r", "int64[2, 3] -2 -1 0 1 2 3"},
        GraphRow{"quantizedInTwoSteps",
                 "%q = quantized_decomposed::quantize_per_tensor.default(%x, 0.5, 3, -128, 8, int8) "
                 "%r = quantized_decomposed::dequantize_per_tensor.default(%q, 0.5, 3, -128, 8, int8) return %q, %r",
                 "int8[2, 3]; float32[2, 3] -2 -1 0 1 2 2.5"},
        GraphRow{"anyNumberOfThem",
                 R"(%t: str = aten::format(self="{} and {}", %n, 2) %r: int = aten::len.str(s=%t) return %r)",
                 "int64[] 7"}),
    graphRowName);

INSTANTIATE_TEST_SUITE_P(
    Language, Torch,
    testing::Values(
        GraphRow{"branchTaken",
                 R"(%c: bool = aten::gt.int(a=%n, b=2) %r: tensor[*] = prim::If(cond=%c)
               region "then" { %a = aten::neg(self=%x) return %a }
               region "else" { return %x } return %r)",
                 "float32[2, 3] 2 1 -0 -1 -2 -3"},
        GraphRow{"loopThatCarries",
                 R"(%r: tensor[*], %s: int = prim::Loop(trip_count=%n, cond=true, %x, 0)
               region "body" (%i: int, %y: tensor[*], %k: int) {
                 %z = aten::add.Scalar(self=%y, other=%i) %m: int = aten::add.int(a=%k, b=%i) return true, %z, %m }
               return %r, %s)",
                 "float32[2, 3] 1 2 3 4 5 6; int64[] 3"},
        GraphRow{"loopThatStops",
                 R"(%s: int = prim::Loop(trip_count=100, cond=true, 0)
               region "body" (%i: int, %k: int) {
                 %m: int = aten::add.int(a=%k, b=2) %c: bool = aten::lt.int(a=%m, b=7) return %c, %m } return %s)",
                 "int64[] 8"},
        GraphRow{"valueOfOutsideReadInEachTurn",
                 R"(%w = aten::abs(self=%x) %r: tensor[*] = prim::Loop(trip_count=2, cond=true, %x)
               region "body" (%i: int, %y: tensor[*]) { %z = aten::add.Tensor(self=%y, other=%w) return true, %z }
               return %r)",
                 "float32[2, 3] 2 1 0 3 6 9"},
        GraphRow{"listsAreMadeAnewAndShared",
                 R"(%l: list<int> = prim::ListConstruct(1, 2) %m: list<int> = aten::append.t(self=%l, el=%n)
               %k: int = aten::len.t(a=%l) return %k, %l)",
                 "int64[] 3; int64[] 1; int64[] 2; int64[] 3"},
        GraphRow{"listsThatMayBeNone",
                 R"(%l: optional<list<int>> = prim::ListConstruct() %c: bool = aten::__isnot__(self=%l, obj=none)
               %m: optional<list<int>> = prim::If(cond=%c) region "then" { return [3, 2] } region "else" { return %l }
               %r = aten::reshape(self=%x, shape=%m) return %r)",
                 "float32[3, 2] -2 -1 0 1 2 3"},
        GraphRow{"listOfTheInput", "%r: tensor[*] = aten::__getitem__.t(list=%xs, idx=-1) return %r",
                 "float32[3] 1 2 3"},
        GraphRow{
            "tuples",
            "%t: tuple<int, tensor[*]> = prim::TupleConstruct(%n, %x) %a: int, %b: tensor[*] = prim::TupleUnpack(%t) "
            "%c: int = prim::TupleIndex(%t, index=-2) return %a, %c",
            "int64[] 3; int64[] 3"},
        GraphRow{"dictionaries",
                 R"(%d: dict<str, int> = prim::DictConstruct("a", 1, "b", %n)
               %r: int = aten::__getitem__.Dict_str(self=%d, key="b") return %r, %d)",
                 "int64[] 3; int64[] 1; int64[] 3"},
        GraphRow{"objects",
                 R"(%o: object "C" = prim::CreateObject() prim::SetAttr(self=%o, name="k", value=%n)
               %r: int = prim::GetAttr(self=%o, name="k") return %r)",
                 "int64[] 3"},
        GraphRow{
            "objectsOfTheFile",
            R"(%k: int = prim::GetAttr(self=object @coder, name="k") %m: int = aten::add.int(a=%k, b=1)
               prim::SetAttr(self=object @coder, name="k", value=%m)
               %w: tuple<float, float> = prim::GetAttr(self=object @coder, name="weights")
               %r: int = prim::GetAttr(self=object @coder, name="k") return %k, %r, %w)",
            "int64[] 7; int64[] 8; float64[] 1; float64[] 0.5",
            R"(module 0 "" class "Net" attributes(coder: object "Coder" = object @coder, coder.k: int = 7, coder.weights: tuple<float, float> = (1.0, 0.5))
object @coder class "Coder" member "data.pkl"
)"},
        GraphRow{"objectsOfTorch", R"(%k: int = prim::GetAttr(self=object @packed, name="k") return %k)",
                 "torch makes objects of its own classes from TorchScript files only (prim::GetAttr)",
                 R"(module 0 "" class "Net" attributes(packed: opaque "Params" = object @packed)
object @packed class "torch.classes.Params" member "data.pkl"
)"},
        GraphRow{"viewsAreWrittenThrough",
                 "%v = aten::select.int(self=%x, dim=0, index=1) %w = aten::mul_.Scalar(self=%v, other=10) return %x",
                 "float32[2, 3] -2 -1 0 10 20 30"},
        GraphRow{"nothing", "return none", "None"},
        GraphRow{"whatTheModelRaises", R"(prim::RaiseException(msg="too small", cls="builtins.ValueError") return %x)",
                 "the model raises ValueError: too small (prim::RaiseException)"}),
    graphRowName);

INSTANTIATE_TEST_SUITE_P(
    Exported, Torch,
    testing::Values(
        GraphRow{"itemsOfAListAreNamed",
                 "%a: float32[1, 3], %b: float32[1, 3] = aten::split.Tensor(self=%x, split_size=1) return %b",
                 "float32[1, 3] 1 2 3"},
        GraphRow{"functionsOfNumbers",
                 "%a: int = _operator::mul(a=%n, b=4) %b: int = _operator::floordiv(a=-7, b=2) %c: int = "
                 "_operator::mod(a=-7, b=%n) %d: bool = _operator::ge(a=%a, b=12) return %a, %b, %c, %d",
                 "int64[] 12; int64[] -4; int64[] 2; bool[] 1"},
        GraphRow{"sizes",
                 "%s: int = aten::sym_size.int(self=%x, dim=1) %r = aten::add.Tensor(self=%x, other=%s) return %r",
                 "float32[2, 3] 1 2 3 4 5 6"},
        GraphRow{"cond",
                 R"(%c: bool = _operator::lt(a=%n, b=2) %r: float32[2, 3] = higher_order::cond(%c, [%x])
               region "true" (%a: float32[2, 3]) { return %a }
               region "false" (%b: float32[2, 3]) { %m: float32[2, 3] = aten::neg(self=%b) return %m } return %r)",
                 "float32[2, 3] 2 1 -0 -1 -2 -3"},
        GraphRow{"whileLoop",
                 R"(%r: int64[] = higher_order::while_loop([0], [%n])
               region "cond" (%a: int64[], %b: int) { %c: bool = aten::lt.int(a=%a, b=10) return %c }
               region "body" (%d: int64[], %e: int) { %f: int = aten::add.int(a=%d, b=%e) return %f } return %r)",
                 "int64[] 12"},
        GraphRow{"map",
                 R"(%r: float32[2, 3] = higher_order::map_impl([%x], [%n])
               region "body" (%a: float32[3], %k: int) { %b: float32[3] = aten::mul.Tensor(self=%a, other=%k)
                 return %b } return %r)",
                 "float32[2, 3] -6 -3 0 3 6 9"},
        GraphRow{
            "scan",
            R"(%z: float32[3] = aten::zeros(size=[3]) %c: float32[3], %r: float32[2, 3] = higher_order::scan([%z], [%x], [])
               region "body" (%a: float32[3], %b: float32[3]) { %s: float32[3] = aten::add.Tensor(self=%a, other=%b)
                 return %s, %s } return %c, %r)",
            "float32[3] -1 1 3; float32[2, 3] -2 -1 0 -1 1 3"},
        GraphRow{"membersOfEnums",
                 R"(%c: enum "__torch__.C" = prim::If(true) region "then" { return "__torch__.C.GREEN" }
               region "else" { return "__torch__.C.RED" } %e: bool = aten::eq.enum(a=%c, b="__torch__.C.GREEN")
               %o: bool = aten::ne.enum(a=%c, b="__torch__.C.GREEN")
               %v: int = prim::EnumValue.int(enum=%c, members={"__torch__.C.RED": 1, "__torch__.C.GREEN": 2})
               %r: float32[2, 3] = aten::mul.Scalar(self=%x, other=%v) return %e, %o, %r)",
                 "bool[] 1; bool[] 0; float32[2, 3] -4 -2 0 2 4 6"},
        GraphRow{"groupsOfPasses",
                 R"(%r: float32[2, 3] = cutaway::fused()
               region "body" { %a: float32[2, 3] = aten::relu(self=%x) return %a } return %r)",
                 "float32[2, 3] 0 0 0 1 2 3"}),
    graphRowName);

INSTANTIATE_TEST_SUITE_P(
    Refused, Torch,
    testing::Values(GraphRow{"whatTorchDoesNotHaveInOneList",
                             "%a = aten::no_such(self=%x) %b = aten::no_such(self=%a) %r = onnx::Relu(%b) return %r",
                             "torch has no operators aten::no_such (2 nodes), onnx::Relu"},
                    GraphRow{"anOverloadThatTorchDoesNotHave", "%r = aten::relu.new(self=%x) return %r",
                             "torch has no operators aten::relu.new"},
                    GraphRow{"whatIsMadeForNodesOfTorchsOwn", "%r = prim::ConstantMKLDNNTensor() return %r",
                             "torch has no operators prim::ConstantMKLDNNTensor"},
                    GraphRow{"anArgumentThatIsMissing", "%r = aten::mm(self=%x) return %r",
                             "it has no argument 'mat2' (aten::mm)"},
                    GraphRow{"sizesThatDoNotFit", "%r: tensor[*] = aten::mm(self=%x, mat2=%x) return %r",
                             "mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3) (aten::mm 'r')"}),
    graphRowName);

TEST(TorchPlugin, saysWhoItIs)
{
    Conversation plugin = torchPlugin();
    const auto initialize = plugin.ask(Initialize()), devices = plugin.request("devices", Json::object());
    plugin.ask(Shutdown());
    plugin.hold();
    EXPECT_EQ(plugin.result<Initialize>(initialize).name, "torch");
    EXPECT_EQ(plugin.result<Devices>(devices).devices.front().id, "cpu");
}

TEST(TorchPlugin, timesEachNodeAndWhatMemoryItTook)
{
    Conversation plugin = torchPlugin();
    plugin.ask(
        Load{.threads = 1, .form = "ir"},
        jsonOf("(%x: float32[100, 100]) { %a = aten::relu(self=%x) %b = aten::matmul(self=%a, other=%a) return %b }"));
    const auto profile = plugin.ask(Profile{{1}, {DrawnTensor{"x", ir::DType::Float32, {100, 100}, 1}}, 1, 0.1});
    plugin.hold();
    const auto result = plugin.result<Profile>(profile);
    ASSERT_EQ(result.nodes.size(), 2u);
    EXPECT_EQ(result.nodes[0].op, "aten::relu");
    EXPECT_EQ(result.nodes[1].node, 1u);
    EXPECT_GT(result.nodes[1].time.median, 0);
    EXPECT_GE(result.nodes[1].start, result.nodes[0].start);
    EXPECT_LE(result.inNodes.median, result.instrumented.median);
    EXPECT_GE(result.nodes[0].memory, 40'000u);
    EXPECT_GE(result.nodes[1].memory, 80'000u);
    EXPECT_EQ(result.conditions.threads, 1u);
}

TEST(TorchPlugin, runsOnTheDeviceThatIsAskedFor)
{
    Conversation plugin = torchPlugin();
    const auto load = plugin.ask(
        Load{.device = "meta", .form = "ir"},
        jsonOf("(%x: float32[2, 3]) { weight %w: float32[1] = @w %r = aten::add.Tensor(self=%x, other=%w) return %r }",
               "storage 0: 4 bytes data \"\\x00\\x00\\x80\\x3f\"\ntensor @w: float32[1] in storage 0\n"));
    const auto run = plugin.ask(protocol::Run{{1}, {DrawnTensor{"x", ir::DType::Float32, {2, 3}, 1}}, {}});
    plugin.hold();
    plugin.result<Load>(load);
    const auto result = plugin.result<protocol::Run>(run);
    ASSERT_EQ(result.outputs.size(), 1u);
    EXPECT_EQ(std::get<OpaqueResult>(result.outputs.front()).type, "no elements, Float of sizes [2, 3]");
}

TEST(TorchPlugin, hasTheOperatorsOfALibrary)
{
    const std::string json = jsonOf("(%x: float32[1]) { %r: tensor[*] = myops::twice(%x) return %r }");
    Conversation without = torchPlugin(), with = torchPlugin();
    const auto refused = without.ask(Load{.form = "ir"}, json);
    without.hold();
    EXPECT_EQ(without.failure(refused).message,
              "torch has no operators myops::twice; --library FILE loads a library of operators");
    with.ask(Load{.form = "ir", .libraries = {CUTAWAY_OPERATORS}}, json);
    std::string payload;
    const SentTensor x = send("x", tensorOf(ir::DType::Float32, {1}, std::vector<float>{4}), payload);
    const auto run = with.ask(protocol::Run{{1}, {x}, {}}, payload);
    with.hold();
    EXPECT_EQ(textOf(with.result<protocol::Run>(run).outputs, with.answer(run).payload), "float32[1] 8");
}

TEST(TorchPlugin, keepsWeightsAsTheyAreInTheFile)
{
    Conversation plugin = torchPlugin();
    // A buffer that the model counts up: written to in memory, and seen by the next run of the same process.
    const std::string json =
        jsonOf("(%x: float32[1]) { weight %w: float32[1] = @w %r = aten::add_.Scalar(self=%w, other=1) return %r }",
               "storage 0: 4 bytes data \"\\x00\\x00\\x80\\x3f\"\ntensor @w: float32[1] in storage 0\n");
    plugin.ask(Load{.form = "ir"}, json);
    const DrawnTensor x{"x", ir::DType::Float32, {1}, 1};
    const auto first = plugin.ask(protocol::Run{{1}, {x}, {}}), second = plugin.ask(protocol::Run{{1}, {x}, {}});
    plugin.ask(Load{.form = "ir"}, json);
    const auto anew = plugin.ask(protocol::Run{{2}, {x}, {}});
    plugin.hold();
    const auto textOfRun = [&](RequestId id) {
        return textOf(plugin.result<protocol::Run>(id).outputs, plugin.answer(id).payload);
    };
    EXPECT_EQ(textOfRun(first), "float32[1] 2");
    EXPECT_EQ(textOfRun(second), "float32[1] 3");
    EXPECT_EQ(textOfRun(anew), "float32[1] 2");
}

/// The verdicts on models of one node each: "yes", "no: why", "unknown: why".
std::vector<std::string> verdictsOn(const std::vector<std::string> &models)
{
    Conversation plugin = torchPlugin();
    Supports request{.form = "ir"};
    std::string payload;
    for (const std::string &model : models) {
        request.lengths.push_back(model.size());
        payload += model;
    }
    const auto asked = plugin.ask(request, payload);
    plugin.hold();
    std::vector<std::string> texts;
    for (const auto &[takes, reason] : plugin.result<Supports>(asked).verdicts)
        texts.push_back(!takes ? "unknown: " + reason : *takes ? "yes" : "no: " + reason);
    return texts;
}

TEST(TorchPlugin, saysWhichNodesItTakes)
{
    const auto one = [](const std::string &call) {
        return jsonOf("(%x: float32[2]) {\n  %y: float32[2] = " + call + "\n  return %y\n}");
    };
    const std::vector<std::string> verdicts =
        verdictsOn({one("aten::relu(self=%x)"), one("prim::TupleConstruct(%x)"), one("mylib::gelu2(%x)"), "{}"});
    ASSERT_EQ(verdicts.size(), 4u);
    EXPECT_EQ(verdicts[0], "yes");
    EXPECT_EQ(verdicts[1], "yes");
    EXPECT_TRUE(verdicts[2].starts_with("no: torch ") && verdicts[2].ends_with("has no operator mylib::gelu2"))
        << verdicts[2];
    EXPECT_TRUE(verdicts[3].starts_with("unknown: ")) << verdicts[3];
}

TEST(TorchPlugin, refusesModelsThatDidNotComeWhole)
{
    Conversation plugin = torchPlugin();
    const auto asked = plugin.ask(Supports{.form = "ir", .lengths = {1000}}, "{}");
    plugin.hold();
    EXPECT_EQ(plugin.failure(asked).code, InvalidParams) << plugin.failure(asked).message;
}

struct WrongRow {
    std::string name, method;
    Json params;
    std::string payload;
    int code;
    std::string message;
};
class WrongRequest : public testing::TestWithParam<WrongRow> { };

TEST_P(WrongRequest, isAnsweredByASentence)
{
    Conversation plugin = torchPlugin();
    const auto request = plugin.request(GetParam().method, GetParam().params, GetParam().payload);
    plugin.hold();
    EXPECT_EQ(plugin.failure(request).code, GetParam().code);
    EXPECT_NE(plugin.failure(request).message.find(GetParam().message), std::string::npos)
        << plugin.failure(request).message;
}

INSTANTIATE_TEST_SUITE_P(
    Rows, WrongRequest,
    testing::Values(
        WrongRow{"noModel", "run", print(protocol::Run{{7}, {}, {}}), "", InvalidParams, "no model 7"},
        WrongRow{"noDevice", "load", print(Load{.device = "cuda:0", .form = "ir"}), "{}", InvalidParams, "'cuda:0'"},
        WrongRow{"noSuchDevice", "load", print(Load{.device = "abacus", .form = "ir"}), "{}", InvalidParams,
                 "'abacus'"},
        WrongRow{"noLibrary", "load", print(Load{.form = "ir", .libraries = {"/nowhere/libmyops.so"}}), "{}",
                 InvalidParams, "the library of operators cannot be loaded: /nowhere/libmyops.so"},
        WrongRow{"noForm", "load", print(Load{.form = "onnx"}), "{}", InvalidParams, "'onnx'"},
        WrongRow{"noJson", "load", print(Load{.form = "ir"}), "what", UnreadableFile, ""},
        WrongRow{"noScript", "load", print(Load{.path = "/nowhere/a.pt", .form = "torchscript"}), "", UnreadableFile,
                 "/nowhere/a.pt"},
        WrongRow{"filesThatDidNotCome", "load", print(Load{.form = "ir", .files = {1000}}), "{}", UnreadableFile, ""}),
    [](const auto &row) { return row.param.name; });

} // namespace

} // namespace cutaway::protocol
