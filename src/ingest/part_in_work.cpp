#include "ingest/part_in_work.h"

#include <algorithm>
#include <utility>

namespace stagegate {

PartSummary BlockJob::read(PartReader& reader, const PartReader::OnEvent& on_event) const {
  const auto text = block.view();
  return is_rest ? reader.read_rest(text, damage, on_event) : reader.read_lines(text, on_event);
}

bool PartInWork::cut_next(const LogPart& source, BlockJob& job) {
  try {
    if (decoder == nullptr) {
      auto opened = source.open(progress);
      if (!opened) {
        job.error = std::move(opened).error();
        return false;
      }
      decoder = *std::move(opened);
      is_plain = decoder->is_plain();
      cutter.emplace(*decoder);
    }
    auto more = cutter->next(job.block);
    if (!more) {
      job.error = std::move(more).error();
      return false;
    }
    job.is_rest = !*more;
    job.damage = job.is_rest ? decoder->damage() : std::string();
    return *more;
  } catch (...) {
    job.exception = std::current_exception();
    return false;
  }
}

std::uint64_t PartInWork::bytes_left() const {
  const auto size = progress.size.load();
  return size - std::min(bytes_read(), size);
}

}  // namespace stagegate
