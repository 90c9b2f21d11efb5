#include "model/baseline.h"

namespace stagegate {

bool is_kept_in_baseline(Metric metric) {
  switch (metric) {
    case Metric::output_bytes:
    case Metric::shuffle_read_bytes:
    case Metric::shuffle_write_bytes:
    case Metric::input_records:
    case Metric::output_records:
    case Metric::shuffle_read_records:
    case Metric::shuffle_write_records:
      return true;
    case Metric::input_bytes:         // vectored reads of newer versions are not counted by Spark
    case Metric::memory_spill_bytes:  // the heap decides
    case Metric::disk_spill_bytes:
    case Metric::duration_ms:
      return false;
  }
  return false;
}

}  // namespace stagegate
