// Which stage's shuffle a stage reads.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "model/application.h"
#include "model/stage.h"

namespace stagegate {

bool wrote_shuffle(const StageAttempt& stage);

// For each of STAGES the indices of the stages that it reads from, ascending, and those that read from it.
//
// Found through RDDs: a parent that is not an RDD of the stage itself is the RDD that ends the producing stage. The parent ids of the
// stage info do not do: under adaptive execution they are those of skipped copies.
struct Lineage {
  std::vector<std::vector<std::size_t>> producers;
  std::vector<std::vector<std::size_t>> consumers;
};

// LAST_ATTEMPTS[i] is the last attempt of STAGES[i]. A producer comes before its consumer: stages are in the order of their ids, in which
// Spark hands them out.
Lineage lineage_of(std::span<const StageAttempt* const> last_attempts);

}  // namespace stagegate
