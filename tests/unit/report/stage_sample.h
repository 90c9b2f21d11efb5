// An application of three stages, of which the last knows everything that the view of a stage can show.
#pragma once

#include <vector>

#include "model/application.h"
#include "model/stage.h"
#include "report/stage_view.h"

namespace stagegate {

// Stage 0 scans and writes a shuffle that stage 7 reads in two attempts; stage 4 was skipped.
//
// The first attempt of stage 7 fails with most of its tasks undone. The second has four tasks that read 10, 20, 30 and 100 KiB of shuffle,
// on two executors.
Application sales_application();
std::vector<Stage> sales_stages();
StageNeighbours sales_neighbours();

}  // namespace stagegate
