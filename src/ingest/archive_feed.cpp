#include "ingest/archive_feed.h"

#include <span>

#include "ingest/byte_form.h"
#include "ingest/stored_numbers.h"

namespace stagegate {
namespace {

using namespace std::string_view_literals;

// Two parts of this size hold the comment in which a zip archive may end, and what stands before it.
constexpr std::size_t kPartBytes = std::size_t{128} * 1024;

}  // namespace

std::string_view ArchiveFeed::next() {
  if (ended_) {
    exhausted_ = true;
    return {};
  }
  std::swap(part_, part_before_);
  filled_before_ = std::exchange(filled_, 0);
  part_.resize(kPartBytes);
  while (filled_ < part_.size()) {
    auto count = source_->read(std::span(part_).subspan(filled_));
    if (!count) {
      error_ = count.error();
    }
    if (count.value_or(0) == 0) {
      ended_ = true;
      break;
    }
    filled_ += *count;
  }
  exhausted_ = filled_ == 0;
  bytes_ += filled_;
  return {part_.data(), filled_};
}

std::string ArchiveFeed::last_bytes() const {
  return std::string(part_before_.data(), filled_before_) + std::string(part_.data(), filled_);
}

std::optional<ZipDirectory> find_zip_directory(const ArchiveFeed& feed) {
  constexpr std::size_t kEndBytes = 22;
  constexpr std::size_t kEntries = 10;
  constexpr std::uint32_t kElsewhere = 0xFFFF;
  const auto last_bytes = feed.last_bytes();
  const auto at = last_bytes.rfind("PK\x05\x06"sv);
  if (at == std::string::npos || last_bytes.size() - at < kEndBytes) {
    return std::nullopt;
  }
  const auto entries = little_endian_16(last_bytes, at + kEntries);
  return entries == kElsewhere ? ZipDirectory{} : ZipDirectory{entries};
}

bool ends_in_zero_block(const ArchiveFeed& feed) {
  const auto last_bytes = feed.last_bytes();
  const std::size_t rest = feed.bytes() % kTarBlockBytes;
  if (last_bytes.size() < rest + kTarBlockBytes) {
    return false;
  }
  const auto block = std::string_view(last_bytes).substr(last_bytes.size() - rest - kTarBlockBytes, kTarBlockBytes);
  return block.find_first_not_of('\0') == std::string_view::npos;
}

}  // namespace stagegate
