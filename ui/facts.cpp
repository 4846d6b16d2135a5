// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/facts.h"

#include "core/base/quantity.h"
#include "ui/language/numbers.h"
#include "ui/language/translate.h"
#include "ui/words.h"

#include <QCoreApplication>

#include <algorithm>

namespace kv {

namespace {

struct Facts {
    Q_DECLARE_TR_FUNCTIONS(kv::Facts)
};

QString number(std::int64_t n) { return translated(writeNumber(n)); }

QString attention(const ModelSpec &model) {
    QString name = translated(model.attentionName());
    // The ratio says how many query heads share a key and a value.
    if (name == QLatin1String("GQA") && model.kvHeads > 0 && model.queryHeads % model.kvHeads == 0)
        name += QStringLiteral(" %1:1").arg(model.queryHeads / model.kvHeads);
    return name;
}

const LatentAttention *firstLatent(const ModelSpec &model) {
    for (const LayerShape &shape : model.shapes)
        for (const CachePart &part : shape.parts)
            if (const auto *latent = std::get_if<LatentAttention>(&part))
                return latent;
    return nullptr;
}

const HeadShape *headsOf(const CachePart &part) {
    if (const auto *full = std::get_if<FullAttention>(&part))
        return &full->heads;
    if (const auto *window = std::get_if<SlidingWindow>(&part))
        return &window->heads;
    const auto *chunked = std::get_if<ChunkedAttention>(&part);
    return chunked ? &chunked->heads : nullptr;
}

/// One way in which layers keep keys and values, and how many do.
struct HeadGroup {
    HeadShape heads;
    CacheKind kind{};
    std::int64_t layers = 0;
};

/// The attention layers by the shape of their heads; of the same shape the kinds are not told apart.
std::vector<HeadGroup> headGroups(const ModelSpec &model) {
    std::vector<HeadGroup> groups;
    for (const LayerShape &shape : model.shapes)
        for (const CachePart &part : shape.parts)
            if (const HeadShape *heads = headsOf(part)) {
                const auto same = std::ranges::find(groups, *heads, &HeadGroup::heads);
                if (same == groups.end())
                    groups.push_back({*heads, kindOf(part), shape.count});
                else
                    same->layers += shape.count;
            }
    return groups;
}

QString kindWord(CacheKind kind) {
    return kind == CacheKind::Window ? Facts::tr("window") : kind == CacheKind::Chunked ? Facts::tr("chunked") : Facts::tr("full");
}

/// Layers with unlike heads: each shape with its layers where there are few, else the range they span.
QStringList unlikeHeads(const ModelSpec &model, const std::vector<HeadGroup> &groups) {
    constexpr std::size_t fewShapes = 3;
    QStringList parts;
    if (model.queryHeads > 0)
        parts += Facts::tr("%1 query heads").arg(number(model.queryHeads));
    if (groups.size() <= fewShapes) {
        for (const HeadGroup &group : groups)
            parts += Facts::tr("%1 %2: %3 KV × %4").arg(number(group.layers), kindWord(group.kind), number(group.heads.kvHeads), number(group.heads.keySize));
        return parts;
    }
    const auto span = [&groups, &parts](const QString &one, const QString &several, auto of) {
        const auto [least, most] = std::ranges::minmax(groups, {}, of);
        parts += of(least) == of(most) ? one.arg(number(of(least))) : several.arg(number(of(least)), number(of(most)));
    };
    span(Facts::tr("%1 KV heads"), Facts::tr("%1 to %2 KV heads"), [](const HeadGroup &g) { return g.heads.kvHeads; });
    span(Facts::tr("head dim %1"), Facts::tr("head dim %1 to %2"), [](const HeadGroup &g) { return g.heads.keySize; });
    return parts;
}

QStringList headFacts(const ModelSpec &model) {
    QStringList parts;
    if (const std::vector<HeadGroup> groups = headGroups(model); groups.size() > 1)
        return unlikeHeads(model, groups);
    if (const LatentAttention *latent = firstLatent(model)) {
        // One latent stands for the keys and values of all heads: there are no KV heads to count.
        if (model.queryHeads > 0)
            parts += Facts::tr("%1 query heads").arg(number(model.queryHeads));
        parts += latent->ropeSize > 0 ? Facts::tr("latent %1 + %2").arg(number(latent->rank), number(latent->ropeSize))
                                      : Facts::tr("latent %1").arg(number(latent->rank));
        return parts;
    }
    if (model.queryHeads > 0 && model.kvHeads > 0)
        parts += Facts::tr("%1 query / %2 KV heads").arg(number(model.queryHeads), number(model.kvHeads));
    if (model.headDim > 0)
        parts += Facts::tr("head dim %1").arg(number(model.headDim));
    return parts;
}

/// Decimal digits that are worth showing: 3.35, 0.9, 8.
QString shortDecimal(double value) {
    QString text = QString::number(value, 'f', 2);
    while (text.endsWith(QLatin1Char('0')))
        text.chop(1);
    if (text.endsWith(QLatin1Char('.')))
        text.chop(1);
    return localNumbers(text);
}

} // namespace

QStringList modelFacts(const ModelSpec &model) {
    QStringList parts;
    if (model.layerCount() > 0)
        parts += Facts::tr("%1 layers").arg(number(model.layerCount()));
    if (const std::int64_t caching = model.cachingLayers(); caching != model.layerCount())
        parts += Facts::tr("%1 with a cache").arg(number(caching));
    parts += headFacts(model);
    if (const QString name = attention(model); !name.isEmpty())
        parts += name;
    if (model.experts > 0)
        parts += model.expertsPerToken > 0 ? Facts::tr("%1 experts, %2 a token").arg(number(model.experts), number(model.expertsPerToken))
                                           : Facts::tr("%1 experts").arg(number(model.experts));
    parts += model.maxContext ? Facts::tr("up to %1 tokens").arg(number(model.maxContext->value)) : Facts::tr("no stated limit");
    return parts;
}

QString parametersShort(std::int64_t parameters) {
    if (parameters <= 0)
        return {};
    const auto with = [parameters](double divisor, QLatin1Char letter) {
        const double value = static_cast<double>(parameters) / divisor;
        return localNumbers(QString::number(value, 'f', value < 99.95 ? 1 : 0).remove(QLatin1String(".0"))) + letter;
    };
    if (parameters >= 999'500'000'000)
        return with(1e12, QLatin1Char('T'));
    return parameters >= 999'500'000 ? with(1e9, QLatin1Char('B')) : with(1e6, QLatin1Char('M'));
}

QList<Choice> modelChoices() {
    QList<Choice> choices;
    for (const Preset &preset : presets()) {
        Choice c;
        c.id = words(preset.id);
        c.group = words(preset.maker);
        c.title = words(preset.name);
        const QString size = parametersShort(preset.parameters), kind = translated(preset.kind);
        c.detail = size.isEmpty() ? kind : kind.isEmpty() ? size : kind + QStringLiteral(" · ") + size;
        c.more = words(preset.repository) + QLatin1Char(' ') + c.id;
        c.tip = QStringList{words(preset.repository), translated(preset.kind)}.join(QLatin1Char('\n')).trimmed();
        choices += c;
    }
    std::stable_sort(choices.begin(), choices.end(), [](const Choice &a, const Choice &b) {
        return QString::compare(a.group, b.group, Qt::CaseInsensitive) < 0;
    });
    return choices;
}

QString gpuFacts(const Gpu &gpu) {
    QStringList parts;
    parts += translated(writeBytes(gpu.marketed, SizeUnit::Decimal));
    if (!gpu.memoryType.empty())
        parts += words(gpu.memoryType);
    if (gpu.bandwidthGBs > 0)
        parts += gpu.bandwidthGBs >= 1000 ? Facts::tr("%1 TB/s").arg(shortDecimal(gpu.bandwidthGBs / 1000))
                                          : Facts::tr("%1 GB/s").arg(shortDecimal(gpu.bandwidthGBs));
    return parts.join(QStringLiteral(" · "));
}

QList<Choice> gpuChoices() {
    QList<Choice> choices;
    const QString yours = Facts::tr("Your own");
    for (const Gpu &gpu : gpus()) {
        if (gpu.origin == GpuOrigin::Guest)
            continue;
        Choice c;
        c.id = words(gpu.id);
        c.group = gpu.origin == GpuOrigin::Own ? yours : words(gpu.vendor);
        c.title = words(gpu.name);
        c.detail = gpuFacts(gpu);
        c.more = c.id;
        for (const std::string &alias : gpu.aliases)
            c.more += QLatin1Char(' ') + words(alias);
        c.tip = translated(gpu.notes);
        choices += c;
    }
    choices += {QString(thisMachineId), yours, Facts::tr("This machine"), Facts::tr("as its drivers tell"), {}, Facts::tr("The GPUs of this computer, as nvidia-smi and its like tell them."), true};
    choices += {QString(ownGpuId), yours, Facts::tr("Own GPU…"), Facts::tr("add, change, remove"), {}, Facts::tr("A GPU that is not in the list, with its memory and bandwidth."), true};
    // Groups in the order of the table, which starts with what most people have.
    QStringList order{yours};
    for (const Choice &c : choices)
        if (!order.contains(c.group))
            order += c.group;
    std::stable_sort(choices.begin(), choices.end(),
                     [&order](const Choice &a, const Choice &b) { return order.indexOf(a.group) < order.indexOf(b.group); });
    return choices;
}

} // namespace kv
