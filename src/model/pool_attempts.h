// From stage attempts, as Spark ran them, to stages, as they are judged.
#pragma once

#include <vector>

#include "model/application.h"
#include "model/stage.h"

namespace stagegate {

// Pools the attempts of each stage that ran, in order of stage id, with `key` left empty. A partition that succeeded in
// several attempts counts once, in the last of them; what the earlier ones did for it is wasted. Skipped and pending stages are left out.
// Spark before 3.3 writes no partition id, and the index of a later attempt is not one: its incomplete pool is a
// problem that the reader has noted in the evidence.
std::vector<Stage> pool_attempts(const Application& application);

}  // namespace stagegate
