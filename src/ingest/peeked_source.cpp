#include "ingest/peeked_source.h"

#include <utility>

namespace stagegate {

Result<std::string_view> PeekedSource::peek(std::size_t bytes) {
  seen_.erase(0, given_);
  given_ = 0;
  while (seen_.size() < bytes) {
    const auto filled = seen_.size();
    seen_.resize(bytes);
    auto count = source_->read(std::span(seen_).subspan(filled));
    seen_.resize(filled + count.value_or(0));
    if (!count) {
      return fail(std::move(count));
    }
    if (*count == 0) {
      break;
    }
  }
  return std::string_view(seen_).substr(0, bytes);
}

Result<std::size_t> PeekedSource::read(std::span<char> buffer) {
  if (given_ == seen_.size()) {
    return source_->read(buffer);
  }
  const auto count = seen_.copy(buffer.data(), buffer.size(), given_);
  given_ += count;
  return count;
}

}  // namespace stagegate
