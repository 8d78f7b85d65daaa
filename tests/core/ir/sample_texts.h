// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// Models in the textual form, as it is printed; together they have everything that a model can hold.
namespace cutaway::ir::samples {

inline constexpr const char *head = R"(model "resnet"
path "a/b.pt2"
format "pt2" "schema 8.20"
producer "pytorch" "2.6.0"
documentation "two\nlines"
opset "aten" 10
symbol s0 [2, 1024] hint 8
symbol "seq len" [*, 5]
symbol u0
metadata "key" "va\"lue"
file "a/b.pt2"
storage 0: 600 bytes in file 0 at 64 length 600
storage 1: 8 bytes in file 0 at 700 length 5 varints
storage 2: 4 bytes data "\x00\x01a\xff"
storage 3: 2 bytes strings ["a", "b\"c"]
storage 4: 12 bytes missing "meta tensor"
tensor @conv.weight: float32[2, 3, 5, 5] parameter in storage 0 grad
tensor @"odd name": float32[3, 5] buffer in storage 0 offset 2 strides [1, 3] transient
tensor @#0: int8[4] in storage 2
tensor @#1: string[2] in storage 3
tensor @sparse: float32[9, 9] in storage 4 layout sparse_coo parts(@conv.weight, @#0)
module 0 "" class "ResNet" attributes(training: bool = true, k: list<int> = [1, 2])
module 1 in 0 "layer1" class "Sequential"
module 2 in 1 "0" as "layer1.0" tensors(@conv.weight)
object @obj class "torch.ScriptObject" member "data/constants/custom_obj_0"
attachment "extra/notes" text "hello"
attachment "compiled" in file 0 at 0 length 10
diagnostic warning "pt2.unknown-field" "a field 'x' is not known"
)";

inline constexpr const char *operands = R"(object @obj class "" member ""
graph @forward(%x: float32[1]) {
  aten::all.default(%x, none, 1, -9223372036854775808, 1.0, -0.0, 1e-05, inf, -inf, nan, complex(inf, nan), true, false)
  aten::all.default(complex(1.0, -2.5), "te\"xt\x07", float32, strided, channels_last, device("cuda:1"), device("cpu"))
  aten::all.default($(2*s0 + `seq len`), type(list<float32[s0, ?]>), op(aten::add.Tensor), graph @helper, object @obj)
  aten::all.default([%x, [1, none]], (1,), (), ("a", [%x]), {"k": %x, 2: []}, dim=0, "odd name"=1, 0=2)
}
function @helper() {
}
)";

inline constexpr const char *types = R"(graph @forward(
    %a: tensor[*],
    %b: float16[1, 2*s0 + 1, ?, `seq len`] strides[3, 1, 1, 1] on "cuda:0" layout(sparse_coo) grad,
    %c: int(2*s0),
    %d: optional<dict<str, tensor[2]>>,
    %e: tuple<int, float>,
    %f: tuple "my.NT" <"x": int, "y": list<?>>,
    %g: union<none, module "a.B">,
    %h: future<bool>,
    %i,
    %j: tuple<>) {
}
)";

inline constexpr const char *names = R"(graph @forward(%x: float32[1], %x#1: float32[1], %#0, %#1) {
  %"odd name", %/conv1/Conv_output_0 = onnx::Conv(%x, %x#1, %#0, %#1) name "/conv1/Conv"
  %x#2 = "my dialect"::"odd op"."over.load"(%"odd name")
  com.microsoft::Gelu(%x#2)
  %u = aten::relu.default(%x#2) name ""
  return %u
}
graph @forward#1() {
}
graph @#0() {
}
)";

inline constexpr const char *scopes = R"(scope layer1 class "torch.nn.Sequential"
scope layer1.0 class "Block"
scope layer1.0#1 class "Block" call 1
scope "a b" name "b"
scope deep.er in "a b" class "C"
scope layer1.x top call 2
graph @forward(%x) {
  %a = aten::relu.default(%x) in layer1.0 at "net.py":12
  #5 %b = aten::relu.default(%a) in layer1.0#1 at !0 from #0, #2
  %c = aten::relu.default(%b) in plain.path at !1 meta {"doc" = "say\n", "k" = ""}
  %d = aten::relu.default(%c) in deep.er at "other.py"
  prim::RaiseException() in layer1.x
  return %d
}
location !0 "net.py":14 in "forward" text "return x" from !2
location !1 "net.py" in "g"
location !2 "main.py":3 in "main"
)";

inline constexpr const char *regions = R"(storage 0: 8 bytes missing "x"
tensor @w: float32[2] in storage 0
graph @forward(%c: bool, %n: int) {
  weight %w: float32[2] = @w
  %y: float32[2] = onnx::If(%c)
    region "then_branch" {
      weight %inner: float32[2] = @w
      %t = onnx::Add(%w, %inner)
      return %t
    }
    region "else_branch" {
      %e = onnx::Neg(%w)
      %e2 = prim::Loop(%n, true, %e)
        region (%i: int, %acc: float32[2]) {
          %next = onnx::Add(%acc, %w)
          return true, [%next]
        }
      return %e2
    }
  prim::RaiseException("no")
    region {
    }
  return %y
}
)";

inline constexpr const char *signatures = R"(storage 0: 0 bytes missing "x"
tensor @w: float32[0] parameter in storage 0
tensor @b: float32[0] buffer in storage 0
object @obj class "" member ""
graph @forward(
    parameter weight %p_w: float32[0] = @w target "conv.weight",
    buffer %b_b: float32[0] = @b target "bn.running_mean",
    %x: float32[1] named "input",
    %k: optional<int> default [1, none],
    constant_input ref 5 named "n",
    custom_object ref object @obj named "o",
    token %token) attributes(alpha=1.0, beta=none) doc "text" next #9 {
  %y = aten::conv2d.default(%x, %p_w)
  %m = aten::add.Tensor(%b_b, 1)
  return buffer_mutation %m target "bn.running_mean", %y, token %token, user_input_mutation %x named "z" target "x"
}
graph @reordered(unlisted %a, unlisted %b, user ref %b, buffer ref %a named "first") -> (%a named "r", loss %b) {
  return [%a, %b]
}
method @none(%a) -> () {
  return %a
}
)";

} // namespace cutaway::ir::samples
