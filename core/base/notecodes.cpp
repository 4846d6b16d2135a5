// SPDX-License-Identifier: GPL-3.0-or-later
//
// What each code of a note means, as `kvplanner --help errors` prints it. Codes are for scripts: once out they keep their meaning.
#include "core/base/note.h"

#include <algorithm>
#include <array>

namespace kv {

namespace {

constexpr auto codes = std::to_array<NoteCode>({
    {"activations-on-top", "the engine sets no memory aside for activations; they come on top"},
    {"assumption", "something that the input does not say was assumed"},
    {"bad-header", "the header of a file contradicts itself"},
    {"bad-index", "a safetensors index is broken, or does not match its shards"},
    {"bad-key", "a key of a GGUF file is no key"},
    {"bad-offset", "a tensor does not lie where the sizes before it say"},
    {"bad-partition", "the layers dealt to the pipeline stages do not add up"},
    {"bad-shape", "a tensor's shape is impossible"},
    {"bad-tensor-name", "a tensor's name is no name"},
    {"bad-value", "a value is of another kind, or outside what the key takes"},
    {"bad-version", "\"kvplan\" is no version of the scenario format"},
    {"beyond-model-limit", "the context is longer than the model was made for; planned all the same"},
    {"big-endian", "a GGUF file written for a big-endian machine"},
    {"class-default", "sizes that the file leaves out, taken from the defaults of its model type"},
    {"context-beyond-cache", "the context does not fit into the cache that the options give"},
    {"contradiction", "two values cannot both hold"},
    {"count-contradicts-parallel", "hardware.count is not tp x pp x dp"},
    {"duplicate-key", "a key stands twice in one object; the last counts"},
    {"duplicate-tensor", "two tensors have the same name"},
    {"file-too-large", "the file is larger than such a file can be"},
    {"gb-vs-gib", "the marketed memory of a card and what a program gets of it are not the same number"},
    {"hint-ignored", "a key that plays no part here"},
    {"incomplete-file", "the header is whole, but data is missing; planned from the header"},
    {"kind-not-known", "the engine does not count this kind of layer"},
    {"lfs-pointer", "a Git LFS pointer instead of the file"},
    {"line-too-long", "a line of a batch is too long"},
    {"link-loop", "a link that leads back to itself"},
    {"memory-estimated", "the card's usable memory is estimated"},
    {"memory-marketed", "only the card's marketed memory is known"},
    {"missing-key", "a key that is needed is not there"},
    {"name-twice", "several scenarios have the name asked for"},
    {"newer-version", "the scenario was written in a newer version of the format"},
    {"no-cache", "the model keeps no KV cache"},
    {"no-model", "no model is named, or none could be read"},
    {"no-model-in-folder", "the folder holds no model"},
    {"no-permission", "the file may not be read"},
    {"no-scenario", "the file holds no scenario, or none of the name asked for"},
    {"no-such-file", "there is no such file"},
    {"no-window", "this build has no window"},
    {"not-a-file", "a folder, pipe, socket or device where a file was expected"},
    {"not-a-model", "the file holds something else than a model"},
    {"not-a-scenario", "the file holds something else than a scenario"},
    {"not-an-object", "the file is JSON, but no object"},
    {"not-gguf", "the file is no GGUF file"},
    {"not-json", "the text is no JSON"},
    {"not-utf8", "the bytes are no UTF-8"},
    {"number-as-text", "a number written as text; it was taken"},
    {"option-replaces", "an option replaced a part of the file, and what belonged to that part"},
    {"out-of-range", "a number or a result is larger than can be counted with, or smaller than allowed"},
    {"outside-folder", "a path leads out of the model's folder"},
    {"prefix-beyond-context", "the shared prefix is longer than the context"},
    {"prefix-not-shared", "the engine does not share the prefix with these settings"},
    {"quantisation-unknown", "how the checkpoint is quantised is not known"},
    {"range", "a number leaves what can be counted with"},
    {"read-failed", "reading the file failed"},
    {"split-mismatch", "the parts of a split GGUF do not belong together"},
    {"split-missing", "a part of a split GGUF is missing"},
    {"too-deep", "the JSON is nested too deep"},
    {"tower-not-counted", "a tower for pictures or sound that the weights' figure leaves out"},
    {"trailing-bytes", "bytes follow after the end of the file's content"},
    {"truncated", "the file ends too early"},
    {"type-not-taken", "the engine does not take this KV type"},
    {"unknown-architecture", "the architecture is not known"},
    {"unknown-dtype", "the model's type is not known; 16 bit is assumed"},
    {"unknown-engine", "there is no such engine"},
    {"unknown-gpu", "there is no such GPU"},
    {"unknown-key", "keys that are not known; kept, and without effect"},
    {"unknown-layer-kind", "a kind of layer that is not known"},
    {"unknown-model-type", "the model type is not known and its keys do not say its layers"},
    {"unknown-option", "the engine has no such option"},
    {"unknown-preset", "there is no such preset"},
    {"unknown-type", "there is no such type"},
    {"unknown-version", "a version that is not known"},
    {"unknown-weight-type", "there is no such type of weights"},
    {"unlike-devices", "unlike cards, which this engine does not take"},
    {"unlike-kv-types", "K and V in unlike types, which this engine does not take"},
    {"unsupported", "known, but not planned by this version"},
    {"usage", "the command line is not understood"},
    {"weights-unchecked", "the formula of the weights was not held against a real file"},
    {"weights-unknown", "the size of the weights is not known"},
    {"window-pool-too-small", "the pool of window layers is too small for one request"},
});

static_assert(std::ranges::is_sorted(codes, {}, &NoteCode::code));

} // namespace

std::span<const NoteCode> noteCodes() { return codes; }

} // namespace kv
