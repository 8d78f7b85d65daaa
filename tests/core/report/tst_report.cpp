// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/html.h"
#include "core/report/markdown.h"
#include "core/report/report.h"
#include "core/report/report_document.h"
#include "tests/core/ir/parsed.h"
#include "tests/core/small_model.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

using namespace cutaway;

namespace {

analysis::Device device()
{
    analysis::Device device;
    device.id = "test";
    device.name = "A processor";
    device.source = "a test";
    device.peaks = {{ir::DType::Float32, 1e9}};
    device.vectorPeak = 1e9;
    device.bandwidth = 1e9;
    device.memory = 1 << 20;
    return device;
}

/// A matrix product in a module, a loop over a size, and a node whose operator nobody knows.
constexpr const char *graph = R"(
    path "net|1.pt2"  format "pt2"  producer "pytorch" "2.6.0"
    storage 0: 48 bytes missing "a test"
    tensor @fc.weight: float32[3, 4] parameter in storage 0
    scope fc class "torch.nn.Linear"
    graph @forward(%x: float32[2, 4], %flag: bool) {
      weight %w: float32[3, 4] = @fc.weight
      %y: float32[2, 3] = aten::linear.default(input=%x, weight=%w) in fc
      %z: float32[2, 3] = prim::If(%flag)
      region () { %a = aten::relu(self=%y) return %a }
      region () { %b = aten::neg(self=%y) return %b }
      %odd = mine::odd(%z)
      return %z
    })";

/// The report of it.
constexpr const char *wanted = R"(# `net|1.pt2`

pt2, made by pytorch 2.6.0

## Summary

Total FLOPs are a lower bound: the operations of 1 node are not known. See the diagnostics.

| of the file | value           |
| :---------- | :-------------- |
| file        | `net\|1.pt2`    |
| format      | `pt2`           |
| producer    | `pytorch 2.6.0` |
| function    | `forward`       |

| figure                                |     value | exact |
| :------------------------------------ | --------: | ----: |
| nodes                                 |         5 |       |
| parameters                            |        12 |    12 |
| bytes of parameters                   |      48 B |    48 |
| bytes of all weights in the file      |      48 B |    48 |
| FLOPs                                 | ≥ 48 FLOP |  ≥ 48 |
| other operations                      |  ≥ 6 FLOP |   ≥ 6 |
| bytes read                            |   ≥ 104 B | ≥ 104 |
| bytes written                         |    ≥ 48 B |  ≥ 48 |
| peak memory                           |    ≥ 56 B |  ≥ 56 |
| nodes with unknown cost               |         1 |       |
| values whose shape is not fully known |         1 |       |

## Signature

### Inputs

| name   | type    | shape    | note |
| :----- | :------ | :------- | :--- |
| `x`    | float32 | `[2, 4]` |      |
| `flag` | bool    |          |      |

### Outputs

| name | type    | shape    | note |
| :--- | :------ | :------- | :--- |
| `z`  | float32 | `[2, 3]` |      |

## Modules

| module  | class    | nodes | parameters | their size |               FLOPs | FLOP |             moved | bytes |               time |
| :------ | :------- | ----: | ---------: | ---------: | ------------------: | ---: | ----------------: | ----: | -----------------: |
| `(all)` |          |     5 |         12 |       48 B | 48 FLOP + 1 unknown |   48 | 152 B + 1 unknown |   152 | 152 ns + 1 unknown |
| · `fc`  | `Linear` |     1 |         12 |       48 B |             48 FLOP |   48 |             104 B |   104 |             104 ns |

## Costliest nodes

Shares are relative to what is known.

### By FLOPs

| node | operator               | module |   FLOPs | FLOP |   share |
| :--- | :--------------------- | :----- | ------: | ---: | ------: |
| `y`  | `aten::linear.default` | `fc`   | 48 FLOP |   48 | 100.0 % |

### By memory traffic

| node | operator               | module | moved | bytes |  share |
| :--- | :--------------------- | :----- | ----: | ----: | -----: |
| `y`  | `aten::linear.default` | `fc`   | 104 B |   104 | 68.4 % |
| `z`  | `prim::If`             |        |  48 B |    48 | 31.6 % |

## Operators

The cost of a branch or loop includes what runs inside it.

| operator               | category       | nodes |     FLOPs | FLOP |     other |     moved | bytes |      time |
| :--------------------- | :------------- | ----: | --------: | ---: | --------: | --------: | ----: | --------: |
| `aten::linear.default` | matrix product |     1 |   48 FLOP |   48 |    0 FLOP |     104 B |   104 |    104 ns |
| `prim::If`             | control flow   |     1 |    0 FLOP |    0 |    6 FLOP |      48 B |    48 |     48 ns |
| `aten::relu`           | activation     |     1 |    inside |      |    inside |    inside |       |    inside |
| `aten::neg`            | elementwise    |     1 |    inside |      |    inside |    inside |       |    inside |
| `mine::odd`            | custom         |     1 | 1 unknown |      | 1 unknown | 1 unknown |       | 1 unknown |

## Live memory

Peak: ≥ 56 B. Weights are not included; views take no memory.

## Time on A processor

Lower bound from the processor's peak rate and memory bandwidth (roofline); caches, fusion and kernel launches are not modelled.

1 node has no time: its cost is not known.

Source of the figures: a test.

| figure                          |        value |
| :------------------------------ | -----------: |
| time of all nodes (lower bound) |       152 ns |
| memory                          |     1.00 MiB |
| memory needed                   |            ? |
| bandwidth                       |    1.00 GB/s |
| peak of float32                 | 1.00 GFLOP/s |

## Diagnostics

| severity | code             | what                  | at    | nodes |
| :------- | :--------------- | :-------------------- | :---- | ----: |
| info     | `shapes.unknown` | no rule for mine::odd | `odd` |     1 |
)";

class Report : public testing::Test {
protected:
    report::Subject subject() const { return {model, {}, given, {&processor, nullptr}}; }
    std::string text(report::Form form) const { return report::report(subject(), form).value(); }

    ir::Model model = test::parsed(graph);
    analysis::Given given;
    analysis::Device processor = device();
};

TEST_F(Report, inMarkdownIsReadAsText) { EXPECT_EQ(text(report::Form::Markdown), wanted); }

TEST_F(Report, asCsvHasARowPerNode)
{
    EXPECT_EQ(text(report::Form::Csv),
              "id,name,op,category,scope,within,result,flops,other_flops,bytes_read,bytes_written,seconds,bound,"
              "intensity,source\r\n"
              "0,y,aten::linear.default,matrix product,fc,,\"float32[2, 3]\",48,0,80,24,1.04e-07,memory,"
              "0.46153846153846156,\r\n"
              "1,z,prim::If,control flow,,,\"float32[2, 3]\",0,6,24,24,4.8e-08,memory,0.125,\r\n"
              "2,a,aten::relu,activation,,1,\"float32[2, 3]\",0,6,24,24,4.8e-08,memory,0.125,\r\n"
              "3,b,aten::neg,elementwise,,1,\"float32[2, 3]\",0,6,24,24,4.8e-08,memory,0.125,\r\n"
              "4,odd,mine::odd,custom,,,unknown,,,,,,,,\r\n");
}

TEST_F(Report, isWrittenInTheFormThatTheSuffixNames)
{
    const auto folder = std::filesystem::path(testing::TempDir()) / "written_report";
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    const std::pair<const char *, const char *> forms[] = {
        {"a.md", "# "}, {"a.html", "<!doctype html>"}, {"a.csv", "id,name,"}, {"a.json", "{\"schema\":"}};
    for (const auto &[name, start] : forms) {
        const auto written = report::writeReport(subject(), false, folder / name);
        ASSERT_TRUE(written) << written.error().text();
        std::string begin(std::string_view(start).size(), ' ');
        std::ifstream(folder / name).read(begin.data(), static_cast<std::streamsize>(begin.size()));
        std::ranges::transform(begin, begin.begin(),
                               [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        EXPECT_EQ(begin, start) << name;
    }
    for (const char *name : {"a.txt", "a"}) {
        const auto written = report::writeReport(subject(), false, folder / name);
        ASSERT_FALSE(written);
        EXPECT_EQ(written.error().kind, ErrorKind::Usage);
        EXPECT_FALSE(std::filesystem::exists(folder / name));
    }
    std::filesystem::remove_all(folder);
}

TEST_F(Report, ofSymbolsHasFormulasAndOrdersByExamples)
{
    model = test::parsed(R"(
        symbol s0 [2, 64] hint 8
        graph @forward(%x: float32[s0, 4], %y: float32[4, 4]) {
          %small: float32[s0, 4] = aten::relu(self=%x)
          %large: float32[s0, 4] = aten::mm(self=%small, mat2=%y)
          return %large
        })");
    const std::string report = text(report::Form::Markdown);
    for (const char *part : {"| FLOPs                            |      `32*s0` |",
                             "Ordered, and the shares worked out, for s0 = 8 (the exporter's example).",
                             "| `large` | `aten::mm`   |        | `32*s0 + 64` | 55.6 % |"})
        EXPECT_NE(report.find(part), std::string::npos) << part << "\n" << report;
}

/// Returns the first error in the nesting of a page's elements; "" if there is none.
std::string fault(std::string_view page)
{
    std::vector<std::string> open;
    for (std::size_t at = page.find('<'); at != page.npos; at = page.find('<', at)) {
        const std::size_t end = page.find('>', at);
        if (end == page.npos)
            return "a tag has no end";
        const std::string_view tag = page.substr(at + 1, end - at - 1);
        const bool closes = tag.starts_with('/');
        const std::string name(tag.substr(closes, tag.find_first_of(" \n/", closes) - closes));
        at = end;
        if (closes && (open.empty() || open.back() != name))
            return "</" + name + "> closes " + (open.empty() ? "nothing" : open.back());
        if (closes)
            open.pop_back();
        else if (!tag.ends_with('/') && !tag.starts_with('!') && name != "meta")
            open.push_back(name);
        if (name == "script" || name == "style")
            if (!closes)
                at = page.find("</" + name, at);
    }
    return open.empty() ? "" : open.back() + " is open";
}

std::size_t count(std::string_view text, std::string_view part)
{
    std::size_t n = 0;
    for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1))
        ++n;
    return n;
}

TEST_F(Report, asHtmlIsWellFormedAndAlone)
{
    const std::string page = text(report::Form::Html);
    EXPECT_EQ(fault(page), "");
    EXPECT_TRUE(page.starts_with("<!DOCTYPE html>\n"));
    EXPECT_NE(page.find("<td class=\"number\" title=\"48\" data-order=\"48\">48 FLOP</td>"), std::string::npos);
    EXPECT_NE(page.find("<svg"), std::string::npos);
    EXPECT_EQ(count(page, "src="), 0u);
    // The names of SVG's elements are no address that anybody fetches.
    EXPECT_EQ(count(page, "http"), count(page, "http://www.w3.org/2000/svg") + count(page, "http-equiv"));
    EXPECT_EQ(count(page, "url("), count(page, "url(#arrow)"));
}

TEST_F(Report, asHtmlDoesNotTakeNamesForMarkup)
{
    model = test::parsed(R"html(
        path "</title><script>alert(1)</script>.pt2"  producer "\"><img src=x onerror=alert(1)>"
        diagnostic warning "a.b" "<svg onload='alert(1)'>"
        scope fc class "<b>Linear</b>"
        graph @forward(%x: float32[2]) {
          %y: float32[2] = aten::relu(self=%x) in fc name "' onmouseover='alert(1)" at "</style>.py":1
          return %y
        })html");
    const std::string page = text(report::Form::Html);
    EXPECT_EQ(fault(page), "");
    EXPECT_EQ(count(page, "<script"), 1u);
    for (const char *part : {"<img", "<svg onload", "<b>", "' onmouseover", "</style>.py"})
        EXPECT_EQ(count(page, part), 0u) << part;
    EXPECT_NE(page.find("&lt;/title&gt;&lt;script&gt;alert(1)"), std::string::npos);
}

} // namespace
