// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/nearestmoves.h"

#include "core/base/plaintext.h"
#include "core/base/quantity.h"
#include "core/engine/engines.h"
#include "core/engine/options.h"
#include "core/weights/weighttypes.h"

#include <algorithm>

namespace kv {

namespace {

std::string gpusInWords(std::int64_t count) { return writeNumber(count) + (count == 1 ? " GPU" : " GPUs"); }

struct Split {
    std::int64_t tp = 1, pp = 1, dp = 1;
};

std::int64_t gpusOf(const Split &split, bool dpInside) {
    const std::int64_t replica = checked::mul(split.tp, split.pp);
    return dpInside ? replica : checked::mul(replica, split.dp);
}

Split splitOf(const Scenario &s, bool dpInside) {
    const auto given = [](const std::optional<Count> &count) { return std::max<std::int64_t>(1, count.value_or(Count(1)).value); };
    Split split{1, given(s.parallel.pp), given(s.parallel.dp)};
    const std::int64_t others = gpusOf(split, dpInside);
    split.tp = s.parallel.tp ? given(s.parallel.tp) : std::max<std::int64_t>(1, s.hardware.count.value / std::max<std::int64_t>(1, others));
    return split;
}

std::string splitInWords(const Split &split, std::int64_t gpus) {
    std::string text = "TP " + writeNumber(split.tp);
    if (split.pp > 1)
        text += " × PP " + writeNumber(split.pp);
    if (split.dp > 1)
        text += " × DP " + writeNumber(split.dp);
    return text + " on " + gpusInWords(gpus);
}

Answer offerSplit(const Scenario &asked, const Split &split, bool dpInside, const Propose &propose) {
    Scenario next = asked;
    const std::int64_t gpus = gpusOf(split, dpInside);
    next.parallel.tp = Count(split.tp);
    next.parallel.pp = Count(split.pp);
    next.parallel.dp = Count(split.dp);
    next.hardware.count = Count(gpus);
    if (split.pp != asked.parallel.pp.value_or(Count(1)).value) // a partition belongs to its number of stages
        next.engine.options.erase("layer_partition");
    return propose(splitInWords(split, gpus), std::move(next));
}

/// Whole bits of an element, scales left out: how near two types are.
std::int64_t bitsOf(ElementType type) { return 8 * info(type).blockBytes / info(type).blockElements; }

Answer offerTypes(const Scenario &asked, ElementType key, ElementType value, const Propose &propose) {
    Scenario next = asked;
    next.kv = {key, value};
    const std::string k(info(key).name), v(info(value).name);
    return propose(key == value ? "KV cache in " + k : "K in " + k + ", V in " + v, std::move(next));
}

Answer offerOption(const Scenario &asked, std::string_view name, Json value, const Propose &propose) {
    Scenario next = asked;
    std::string change = std::string(name) + " " + (value.isString() ? value.text() : writeJson(value));
    next.engine.options.set(std::string(name), std::move(value));
    return propose(std::move(change), std::move(next));
}

Answer offerWithout(const Scenario &asked, std::string_view name, const Propose &propose) {
    Scenario next = asked;
    next.engine.options.erase(name);
    return propose(std::string(name) + " left at its default", std::move(next));
}

/// The first whole number that works below and the first above.
Answer offerNear(const Scenario &asked, std::string_view name, std::int64_t value, const Propose &propose) {
    constexpr std::int64_t reach = 256;
    Answer best = Answer::No;
    for (const int sign : {-1, 1})
        for (std::int64_t step = 1; step <= reach; ++step) {
            const std::int64_t near = value + sign * step;
            const Answer answer = near < 0 ? Answer::No : offerOption(asked, name, near, propose);
            best = std::max(best, answer);
            if (best == Answer::Enough)
                return best;
            if (answer == Answer::Taken)
                break;
        }
    return best;
}

/// The number behind the last point of a release: 24 of "0.24".
std::int64_t minorOf(std::string_view version) {
    std::int64_t minor = 0;
    const std::size_t point = version.rfind('.');
    for (const char c : version.substr(point == std::string_view::npos ? 0 : point + 1))
        minor = c >= '0' && c <= '9' && minor < 1'000'000 ? minor * 10 + (c - '0') : minor;
    return minor;
}

Answer offerVersions(const Scenario &asked, const Engine &engine, const Propose &propose) {
    std::vector<std::string_view> versions(engine.versions().begin(), engine.versions().end());
    const Json *value = asked.engine.options.find("version");
    const std::int64_t minor = minorOf(value ? std::string_view(value->text()) : std::string_view());
    std::ranges::stable_sort(versions, {}, [&](std::string_view version) { return std::abs(minorOf(version) - minor); });
    Answer answer = Answer::No;
    for (const std::string_view version : versions)
        if (answer != Answer::Enough)
            answer = std::max(answer, offerOption(asked, "version", version, propose));
    return answer;
}

Answer offerWords(const Scenario &asked, const EngineOption &option, const Propose &propose) {
    Answer answer = Answer::No;
    for (std::string_view rest = option.words; !rest.empty() && answer != Answer::Enough;) {
        const std::size_t end = std::min(rest.find(' '), rest.size());
        answer = std::max(answer, offerOption(asked, option.name, rest.substr(0, end), propose));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return answer;
}

} // namespace

void proposeSplits(const Scenario &asked, const Engine &engine, const Propose &propose) {
    const bool inside = engine.dpInsideTp(asked);
    const Split wanted = splitOf(asked, inside);
    const std::int64_t gpus = gpusOf(wanted, inside), count = asked.hardware.count.value;
    constexpr std::int64_t most = 65'536;
    if (gpus < 1 || gpus > most || count > most)
        return;
    if (gpus != count) // the split as it stands, on its own number of GPUs
        offerSplit(asked, wanted, inside, propose);
    // The same GPUs: as much tensor parallelism as is taken, the rest as stages, then as replicas.
    std::size_t alike = 0;
    for (const std::int64_t all : {count, gpus})
        for (std::int64_t tp = all; tp >= 1 && alike < 2; --tp) {
            const std::int64_t rest = all % tp == 0 ? all / tp : 0;
            for (const Split &split : {Split{tp, rest, 1}, Split{tp, 1, rest}}) {
                const bool counts = rest > 0 && alike < 2 && gpusOf(split, inside) == all;
                const Answer answer = counts ? offerSplit(asked, split, inside, propose) : Answer::No;
                if (answer == Answer::Enough)
                    return;
                alike += answer == Answer::Taken ? 1 : 0;
            }
        }
    for (const int sign : {-1, 1})
        for (std::int64_t step = 1; step <= std::max<std::int64_t>(wanted.tp, 8); ++step) {
            const Split near{wanted.tp + sign * step, wanted.pp, wanted.dp};
            const Answer answer = near.tp < 1 ? Answer::No : offerSplit(asked, near, inside, propose);
            if (answer == Answer::Enough)
                return;
            if (answer == Answer::Taken)
                break;
        }
    for (std::int64_t pp = wanted.pp - 1; pp >= 1; --pp)
        if (offerSplit(asked, {wanted.tp, pp, wanted.dp}, inside, propose) != Answer::No)
            return;
}

void proposeTypes(const Scenario &asked, const Engine &engine, const Propose &propose) {
    const ElementType key = asked.kv.key, value = asked.kv.value;
    if (key != value)
        for (const ElementType both : {key, value})
            if (offerTypes(asked, both, both, propose) == Answer::Enough)
                return;
    if (engine.splitsKeyAndValueTypes() && offerTypes(asked, key, ElementType::Fp16, propose) == Answer::Enough)
        return;
    std::vector<ElementType> types(engine.kvTypes().begin(), engine.kvTypes().end());
    const std::int64_t bits = bitsOf(value);
    // The same width, then the next wider, then the next narrower.
    const auto distance = [&](ElementType type) {
        const std::int64_t other = bitsOf(type);
        return other >= bits ? other - bits : 100 + bits - other;
    };
    std::ranges::stable_sort(types, {}, distance);
    for (const ElementType type : types)
        if (offerTypes(asked, type, type, propose) == Answer::Enough)
            return;
    offerTypes(asked, ElementType::Auto, ElementType::Auto, propose);
}

void proposeOption(const Scenario &asked, const Engine &engine, std::string_view name, const Propose &propose) {
    const auto known = std::ranges::find(engine.options(), name, &EngineOption::name);
    const Json *value = asked.engine.options.find(name);
    if (known == engine.options().end()) {
        std::vector<std::string_view> names;
        for (const EngineOption &option : engine.options())
            names.push_back(option.name);
        Scenario next = asked;
        next.engine.options.erase(name);
        if (const std::string_view near = nearestName(name, names); !near.empty() && value)
            offerOption(next, near, *value, propose);
        propose("without " + std::string(name), std::move(next));
        return;
    }
    const OptionReader options(asked.engine.options);
    Answer answer = Answer::No;
    if (name == "version")
        answer = offerVersions(asked, engine, propose);
    else if (const auto whole = known->kind == OptionKind::Whole && value ? options.whole(name) : std::nullopt)
        answer = offerNear(asked, name, *whole, propose);
    else if (known->kind == OptionKind::Bool)
        answer = offerOption(asked, name, !options.boolean(name).value_or(false), propose);
    else if (known->kind == OptionKind::Word)
        answer = offerWords(asked, *known, propose);
    if (value && answer == Answer::No)
        offerWithout(asked, name, propose);
}

void proposeFewerOptions(const Scenario &asked, const Engine &, const Propose &propose) {
    for (const auto &[name, value] : asked.engine.options.members())
        if (offerWithout(asked, name, propose) == Answer::Enough)
            return;
}

void proposeEngines(const Scenario &asked, const Propose &propose) {
    std::vector<std::string_view> names;
    for (const Engine *engine : engines())
        names.push_back(engine->id());
    const std::string_view near = nearestName(asked.engine.id, names);
    std::vector<const Engine *> order(engines().begin(), engines().end());
    // A misspelt name first; the textbook, which takes everything, last.
    std::ranges::stable_sort(order, {}, [&](const Engine *engine) { return engine->id() == near ? 0 : engine->id() == "textbook" ? 2 : 1; });
    for (const Engine *engine : order) {
        Scenario next = asked;
        next.engine = {std::string(engine->id()), engine->id() == near ? asked.engine.options : Json::object()};
        std::string change = "count like " + std::string(engine->name());
        Answer answer = propose(change, next);
        if (answer == Answer::No) {
            next.engine.options = Json::object();
            next.kv = {};
            answer = propose(change + ", KV type its own", std::move(next));
        }
        if (answer == Answer::Enough)
            return;
    }
}

void proposeLoads(const Scenario &asked, const Note &refusal, const Propose &propose) {
    const auto with = [&](std::string change, auto &&edit) {
        Scenario next = asked;
        edit(next);
        propose(std::move(change), std::move(next));
    };
    const OptionReader options(asked.engine.options);
    if (refusal.code == "prefix-beyond-context") {
        with("shared prefix " + writeNumber(asked.workload.context.value), [](Scenario &s) { s.workload.sharedPrefix = s.workload.context; });
        with("context " + writeNumber(asked.workload.sharedPrefix.value), [](Scenario &s) { s.workload.context = s.workload.sharedPrefix; });
    }
    if (refusal.code == "too-many-slots") {
        constexpr std::int64_t most = 256; // LLAMA_MAX_SEQ
        with(writeNumber(most) + " sequences", [](Scenario &s) { s.workload.sequences = Count(most); });
        with("n_parallel " + writeNumber(most), [](Scenario &s) { s.engine.options.set("n_parallel", most); });
    }
    if (refusal.code == "context-beyond-cache") {
        with("max_cache_len " + writeNumber(asked.workload.context.value),
             [](Scenario &s) { s.engine.options.set("max_cache_len", s.workload.context.value); });
        if (const auto length = options.whole("max_cache_len"))
            with("context " + writeNumber(*length), [&](Scenario &s) { s.workload.context = Tokens(*length); });
    }
    if (refusal.code == "batch-below-sequences")
        if (const auto seqs = options.whole("max_num_seqs")) {
            with("max_num_batched_tokens " + writeNumber(*seqs), [&](Scenario &s) { s.engine.options.set("max_num_batched_tokens", *seqs); });
            if (const auto batch = options.whole("max_num_batched_tokens"))
                with("max_num_seqs " + writeNumber(*batch), [&](Scenario &s) { s.engine.options.set("max_num_seqs", *batch); });
        }
}

void proposeAlikeCards(const Scenario &asked, const Propose &propose) {
    std::vector<Device> kinds = asked.hardware.devices;
    std::ranges::stable_sort(kinds, std::ranges::greater(), [](const Device &device) {
        const Gpu *gpu = findGpu(device.gpu);
        return gpu ? gpu->marketed * device.count.value : Bytes(0);
    });
    for (const Device &device : kinds) {
        const Gpu *gpu = findGpu(device.gpu);
        Scenario next = asked;
        next.hardware.devices.clear();
        next.hardware.gpu = device.gpu;
        next.hardware.count = device.count;
        next.parallel.tp = next.parallel.pp = next.parallel.dp = std::nullopt;
        constexpr std::size_t most = 40; // it stands on a button
        if (propose("alike cards: " + writeNumber(device.count.value) + " × " + oneLine(gpu ? gpu->name : device.gpu, most), std::move(next)) == Answer::Enough)
            return;
    }
}

void proposeNames(const Scenario &asked, const Note &refusal, const Propose &propose) {
    Scenario next = asked;
    if (refusal.where == "hardware.gpu") {
        std::vector<std::string_view> names;
        for (const Gpu &gpu : gpus())
            names.push_back(gpu.id);
        if (const std::string_view near = nearestName(asked.hardware.gpu, names); !near.empty()) {
            next.hardware.gpu = near;
            propose("GPU " + next.hardware.gpu, next);
        }
    }
    if (refusal.where.starts_with("weights")) {
        std::vector<std::string_view> names;
        for (const WeightType &type : weightTypes())
            names.push_back(type.name);
        next = asked;
        if (const std::string_view near = nearestName(asked.weights.dtype, names); !near.empty()) {
            next.weights.dtype = near;
            propose("weights in " + next.weights.dtype, next);
        }
        next.weights.dtype.clear();
        propose("weights as they are stored", std::move(next));
    }
}

} // namespace kv
