// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// From a name on the Hub to a folder on this machine that loadModel reads (core/files/modelsource.h): the config whole, of the weights the
// headers alone, by parts of files. For a checkpoint in at most 200 files all headers, beyond that the size that its index says.
//
// Asks {endpoint}/api/models/<name>/revision/<revision> for the files and the commit, then {endpoint}/<name>/resolve/<commit>/<file> for each
// (huggingface.co/docs/hub/api; huggingface_hub, src/huggingface_hub/hf_api.py, model_info, and file_download.py, hf_hub_url). Waits: not for a
// thread that draws.

#include "ui/hub/hubtransport.h"

#include <QStringList>

namespace kv {

struct HubFetched {
    QString folder;      ///< empty: nothing was fetched, see the notes, or the choice is the user's
    HubName name;        ///< as the Hub calls it now
    QString commit;
    QStringList several; ///< GGUF files to choose from: the next HubName::file
    Notes notes;
};

/// Codes besides those of HubFault and of ui/hub/hubsettings.h: "hub-offline", "hub-no-model", "cannot-write", and those of the readers of
/// indexes and GGUF headers; warnings: "hub-renamed", "hub-kept".
HubFetched fetchFromHub(const HubName &name, const HubSettings &settings, const HubWatch &watch);

} // namespace kv
