// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Any scenario out of bytes: presets and made-up models, every engine with options of its table, cards, splits, types and loads, sensible ones
// as well as absurd ones. Every byte string is one.

#include "core/engine/engines.h"
#include "core/model/catalogue.h"
#include "core/model/configreader.h"
#include "core/scenario/scenario.h"
#include "core/weights/weighttypes.h"
#include "tests/fuzz/choices.h"
#include "tests/fuzz/fuzzing.h"
#include "tests/oracle/madeup.h"

#include <array>
#include <string>
#include <vector>

namespace kv::fuzz {

inline const std::vector<ModelChoice> &models() {
    static const std::vector<ModelChoice> all = [] {
        std::vector<ModelChoice> list;
        for (const Preset &preset : presets())
            if (const auto model = presetModel(preset.id))
                list.push_back({preset.id, {}, {}, *model});
        for (std::uint32_t seed = 0; list.size() < 256; ++seed)
            if (const auto model = readConfig(oracle::Maker(seed).next().config, "made up " + std::to_string(seed), "config.json"))
                list.push_back({{}, {}, {}, *model});
        return list;
    }();
    return all;
}

/// A decimal of 0 to 1, or up to ten times that.
inline std::string decimal(Choices &take, bool ratio) {
    std::string digits = std::to_string(take.below(1001));
    digits.insert(0, 4 - std::min<std::size_t>(digits.size(), 4), '0');
    if (ratio && take.oneIn(4))
        digits[0] = static_cast<char>('1' + take.below(9));
    return digits.substr(0, 1) + "." + digits.substr(1);
}

inline Json listOf(Choices &take) {
    Json list = Json::array();
    for (std::size_t i = 1 + take.below(4); i-- > 0;)
        list.push(take.whole(8));
    return list;
}

inline Json wordOf(Choices &take, const Engine &engine, const EngineOption &option) {
    if (option.name == "version")
        return engine.versions().empty() ? Json() : Json(take.of(engine.versions()));
    if (option.name == "draft_model")
        return take.of(models()).preset;
    std::vector<std::string_view> words;
    for (std::string_view rest = option.words; !rest.empty();) {
        const std::size_t end = std::min(rest.find(' '), rest.size());
        words.push_back(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return words.empty() ? Json() : Json(take.of(words));
}

inline Json valueOf(Choices &take, const Engine &engine, const EngineOption &option) {
    switch (option.kind) {
    case OptionKind::Whole:
        return take.oneIn(16) ? -take.whole() : take.whole(take.oneIn(8) ? 63 : 20);
    case OptionKind::Size:
        return take.whole(take.oneIn(8) ? 63 : 40);
    case OptionKind::Fraction:
        return decimal(take, false);
    case OptionKind::Ratio:
        return decimal(take, true);
    case OptionKind::Bool:
        return take.oneIn(2);
    case OptionKind::Word:
        return wordOf(take, engine, option);
    case OptionKind::Type:
        return info(take.of(elementTypes()).type).name;
    case OptionKind::List:
    case OptionKind::Shares:
        return listOf(take);
    }
    return {};
}

inline void makeEngine(Choices &take, Scenario &s) {
    const Engine &engine = *take.of(engines());
    s.engine.id = std::string(engine.id());
    for (std::size_t i = take.below(4); i-- > 0 && !engine.options().empty();) {
        const EngineOption &option = take.of(engine.options());
        if (Json value = valueOf(take, engine, option); !value.isNull())
            s.engine.options.set(std::string(option.name), std::move(value));
    }
    if (take.oneIn(2)) {
        s.kv.key = take.of(engine.kvTypes());
        s.kv.value = engine.splitsKeyAndValueTypes() ? take.of(engine.kvTypes()) : s.kv.key;
    }
}

inline void makeHardware(Choices &take, Scenario &s) {
    static const std::vector<Gpu> cards(gpus().begin(), gpus().end());
    s.hardware.gpu = take.of(cards).id;
    if (take.oneIn(8))
        s.hardware.memory = Bytes(std::max<std::int64_t>(1, take.whole(take.oneIn(4) ? 63 : 40)));
    if (take.oneIn(8))
        s.hardware.reserve = static_cast<std::int64_t>(take.below(1000)) * (fractionOne / 1000);
    if (take.oneIn(8))
        s.hardware.display = Bytes(take.whole(36));
    if (take.oneIn(8) && takesUnlikeCards(s.engine.id)) {
        std::int64_t all = 0;
        for (std::size_t i = 1 + take.below(3); i-- > 0; all += s.hardware.devices.back().count.value)
            s.hardware.devices.push_back({take.of(cards).id, Count(1 + static_cast<std::int64_t>(take.below(3)))});
        s.hardware.count = Count(all);
        return;
    }
    constexpr std::array<std::int64_t, 8> degrees{1, 1, 1, 2, 4, 8, 3, 16};
    const std::int64_t tp = take.of(degrees), pp = take.of(degrees), dp = take.of(degrees);
    const bool given = take.oneIn(2), wrong = take.oneIn(32);
    if (given)
        s.parallel = {Count(tp), Count(std::min<std::int64_t>(pp, 4)), Count(std::min<std::int64_t>(dp, 4)), take.oneIn(4)};
    const bool inside = given && findEngine(s.engine.id)->dpInsideTp(s);
    s.hardware.count = Count(wrong ? take.whole(10) : given ? tp * s.parallel.pp->value * (inside ? 1 : s.parallel.dp->value) : tp);
}

inline void makeLoad(Choices &take, Scenario &s) {
    const bool absurd = take.oneIn(16);
    s.workload.context = Tokens(take.whole(absurd ? 63 : 21));
    s.workload.sequences = Count(std::max<std::int64_t>(1, take.whole(absurd ? 63 : 12))); // a file says 1 at least
    if (take.oneIn(4))
        s.workload.sharedPrefix = Tokens(take.oneIn(16) ? take.whole(21) : std::min(take.whole(20), s.workload.context.value));
}

inline Scenario madeScenario(Choices &take) {
    Scenario s;
    s.model = take.of(models());
    makeEngine(take, s);
    makeHardware(take, s);
    makeLoad(take, s);
    if (take.oneIn(8))
        s.weights.bytes = Bytes(take.whole(take.oneIn(8) ? 63 : 42));
    else if (take.oneIn(4))
        s.weights.dtype = std::string(take.of(weightTypes()).name);
    return s;
}

} // namespace kv::fuzz
