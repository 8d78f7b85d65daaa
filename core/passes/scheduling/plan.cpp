// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/scheduling/plan.h"

#include "core/analysis/known_devices.h"
#include "core/analysis/roofline.h"
#include "core/base/formatted.h"
#include "core/base/result.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/passes/dependencies.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <set>

namespace cutaway::passes {

namespace {

using PlanJson = nlohmann::ordered_json;

std::string optionalText(const PlanJson &json, const char *key)
{
    const auto found = json.is_object() ? json.find(key) : json.end();
    return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// Returns a number that is not negative, or `byDefault` if the key is missing; nothing for other contents.
std::optional<double> optionalNumber(const PlanJson &json, const char *key, double byDefault)
{
    const auto found = json.is_object() ? json.find(key) : json.end();
    if (!json.is_object() || found == json.end())
        return byDefault;
    const bool isGood = found->is_number() && std::isfinite(found->get<double>()) && found->get<double>() >= 0;
    return isGood ? std::optional(found->get<double>()) : std::nullopt;
}

Result<Plan::Device> readPlannedDevice(const PlanJson &json)
{
    Plan::Device device;
    device.name = optionalText(json, "name");
    const auto streams = optionalNumber(json, "streams", 1), launch = optionalNumber(json, "launch_seconds", 0);
    if (device.name.empty() || !json.contains("device"))
        return usageError("each of 'devices' has a 'name' and a 'device'");
    if (!streams || *streams < 1 || *streams > 1024 || *streams != std::floor(*streams) || !launch)
        return usageError("'streams' is a number from 1 on, 'launch_seconds' one from 0 on", device.name);
    auto figures = json["device"].is_string() ? analysis::findDevice(json["device"].get<std::string>())
                                              : analysis::parseDevice(json["device"].dump());
    if (!figures)
        return usageError(figures.error().message, device.name);
    device.figures = std::move(*figures);
    device.streams = static_cast<std::int64_t>(*streams);
    device.launchSeconds = *launch;
    return device;
}

Result<Plan::Rule> readRule(const PlanJson &json, const std::vector<Plan::Device> &devices)
{
    Plan::Rule rule{optionalText(json, "module"), optionalText(json, "operators"), optionalText(json, "node"), {}};
    const std::string on = optionalText(json, "on");
    const auto stream = optionalNumber(json, "stream", 0);
    const auto device = std::ranges::find(devices, on, &Plan::Device::name);
    if (device == devices.end())
        return usageError(formatted("'on' of a place is '{}', which is none of the devices", on));
    if (!stream || *stream >= static_cast<double>(device->streams) || *stream != std::floor(*stream))
        return usageError(formatted("'stream' of a place is not below the {} of {}", device->streams, on));
    if (rule.module.empty() && rule.operators.empty() && rule.node.empty())
        return usageError("a place names a 'module', 'operators' or a 'node'");
    rule.on = {static_cast<std::size_t>(device - devices.begin()), static_cast<std::size_t>(*stream)};
    return rule;
}

bool isInModule(const ir::NodeRef &node, std::string_view module)
{
    const std::string_view path = node.graph().context().text(node.scope().path);
    return path.starts_with(module) && (path.size() == module.size() || path[module.size()] == '.');
}

/// Finds on which stream and how long each node runs, and which bytes it passes on.
class Planning {
public:
    Planning(analysis::Reading &reading, const analysis::Shapes &shapes, const Plan &plan)
        : m_reading(reading),
          m_plan(plan)
    {
        m_analysis.function = reading.functionId();
        m_analysis.shapes = shapes;
        for (const Plan::Device &device : plan.devices)
            m_rooflines.push_back(analysis::roofline(reading.model(), m_analysis, device.figures, 0));
    }

    PlannedJobs run()
    {
        const auto &nodes = m_reading.graph().at(ir::Graph::body).nodes;
        const auto before = dependencies(m_reading, ir::Graph::body);
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            const ir::NodeRef node = m_reading.node(nodes[i]);
            noteRules(node);
            Job job{placeOf(node), 0, {}};
            job.seconds = secondsOf(node, job.on.device);
            for (const std::size_t earlier : before[i]) {
                const bool isSent = m_planned.jobs[earlier].on.device != job.on.device;
                job.needs.push_back({earlier, isSent ? bytesOf(m_reading.node(nodes[earlier])) : 0});
            }
            m_planned.jobs.push_back(std::move(job));
        }
        for (std::size_t i = 0; i < m_plan.rules.size(); ++i)
            if (!m_isUsed[i])
                m_planned.unmatched.push_back(m_plan.rules[i].text());
        return std::move(m_planned);
    }

private:
    bool isTrueOf(const Plan::Rule &rule, const ir::NodeRef &node)
    {
        return (rule.module.empty() || isInModule(node, rule.module))
            && (rule.operators.empty() || isAmongOperators(m_reading, node, rule.operators))
            && (rule.node.empty() || node.name() == rule.node);
    }

    /// Notes all rules that apply to the node, even those after the rule that decides.
    void noteRules(const ir::NodeRef &node)
    {
        for (std::size_t i = 0; i < m_plan.rules.size(); ++i)
            if (!m_isUsed[i])
                m_isUsed[i] = isTrueOf(m_plan.rules[i], node);
    }

    StreamId placeOf(const ir::NodeRef &node)
    {
        for (const Plan::Rule &rule : m_plan.rules)
            if (isTrueOf(rule, node))
                return rule.on;
        return {};
    }

    double secondsOf(const ir::NodeRef &node, std::size_t device)
    {
        const analysis::Roofline &roofline = m_rooflines[device];
        const double launch = m_plan.devices[device].launchSeconds;
        if (const auto &known = roofline.nodes[node.id().index])
            return known->seconds + (known->bound == analysis::Attainable::Bound::Nothing ? 0 : launch);
        if (m_planned.unknownTimes++ == 0)
            m_planned.reason = roofline.reason;
        const auto bound = roofline.atLeast.find(node);
        return launch + (bound == roofline.atLeast.end() ? 0 : bound->second);
    }

    /// Returns the bytes of all results of a node. They are used for the bytes that each reader receives, since few
    /// nodes have several results.
    double bytesOf(const ir::NodeRef &node)
    {
        double bytes = 0;
        for (const ir::ValueId output : node->outputs)
            ops::forEachTensor(m_analysis.shapes.of(output), [&](const ops::TensorFact &tensor) {
                const auto known = ops::number(ops::bytesOf(tensor));
                m_planned.unknownBytes += known ? 0 : 1;
                bytes += static_cast<double>(known.value_or(0));
            });
        return bytes;
    }

    analysis::Reading &m_reading;
    const Plan &m_plan;
    analysis::Analysis m_analysis;
    std::vector<analysis::Roofline> m_rooflines; ///< by device
    std::vector<bool> m_isUsed = std::vector<bool>(m_plan.rules.size());
    PlannedJobs m_planned;
};

} // namespace

Result<Plan> parsePlan(std::string_view text)
{
    const PlanJson json = PlanJson::parse(text, nullptr, false);
    if (!json.is_object() || !json.contains("devices") || !json["devices"].is_array() || json["devices"].empty())
        return usageError("no plan: expected JSON with an array 'devices'");
    Plan plan;
    for (const PlanJson &each : json["devices"]) {
        CUTAWAY_TRY(auto device, readPlannedDevice(each));
        plan.devices.push_back(std::move(device));
    }
    const PlanJson link = json.contains("link") ? json["link"] : PlanJson();
    const auto bandwidth = optionalNumber(link, "bandwidth", 0), latency = optionalNumber(link, "latency", 0);
    if (!bandwidth || !latency || (plan.devices.size() > 1 && *bandwidth == 0))
        return usageError(
            "'link' has a 'bandwidth' in bytes/s between the devices, and perhaps a 'latency' in seconds");
    plan.link = {*bandwidth > 0 ? *bandwidth : 1, *latency};
    for (const PlanJson &each : json.contains("place") ? json["place"] : PlanJson::array()) {
        CUTAWAY_TRY(auto rule, readRule(each, plan.devices));
        plan.rules.push_back(std::move(rule));
    }
    return plan;
}

std::string Plan::Rule::text() const
{
    std::string text;
    for (const auto &[what, given] :
         {std::pair("module", &module), std::pair("operators", &operators), std::pair("node", &node)})
        if (!given->empty())
            text += formatted("{}{} '{}'", text.empty() ? "" : ", ", what, *given);
    return text;
}

std::vector<std::string> warnings(const PlannedJobs &planned)
{
    std::vector<std::string> texts;
    for (const std::string &rule : planned.unmatched)
        texts.push_back(formatted("the plan's entry of {} is true of no node", rule));
    return texts;
}

PlannedJobs plannedJobs(analysis::Reading &reading, const analysis::Shapes &shapes, const Plan &plan)
{
    return Planning(reading, shapes, plan).run();
}

bool isAmongOperators(analysis::Reading &reading, const ir::NodeRef &node, std::string_view words)
{
    const ops::Operator *row = reading.row(node);
    const auto names = [&](std::string_view name) {
        for (std::size_t at = 0; at <= words.size();) {
            const std::size_t end = std::min(words.find('+', at), words.size());
            if (words.substr(at, end - at) == name)
                return true;
            at = end + 1;
        }
        return false;
    };
    return row && (names(reading.kind(node).name()) || names(ops::name(row->category)));
}

} // namespace cutaway::passes
