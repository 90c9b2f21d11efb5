// [evidence]: where runs leave their event logs, where that is not the folder of the run.
#pragma once

#include "manifest/table_reader.h"
#include "model/job_variant.h"

namespace stagegate::manifest {

// event_log_dir, history_server, wait, user, token_env, ca_file
EvidencePlace read_evidence_place(TableReader& file);

}  // namespace stagegate::manifest
