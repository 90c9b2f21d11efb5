#include "ingest/growth_guard.h"

#include <atomic>
#include <utility>

#include "base/counted_source.h"

namespace stagegate {
namespace {

class GrowthGuard : public Decoder {
 public:
  GrowthGuard(std::unique_ptr<ByteSource> source, MakeDecoder make, const GrowthLimits& limits)
      : decoder_(make(std::make_unique<CountedSource>(std::move(source), stored_bytes_))), limits_(limits) {}

  Result<std::size_t> read(std::span<char> buffer) override {
    if (stopped_) {
      return 0;
    }
    STAGEGATE_TRY_ASSIGN(count, decoder_->read(buffer));
    plain_bytes_ += count;
    stopped_ = limits_.passed(stored_bytes_, plain_bytes_);
    return stopped_ ? 0 : count;
  }

  std::string damage() const override { return stopped_ ? kGrowthDamage : decoder_->damage(); }

 private:
  std::atomic<std::uint64_t> stored_bytes_ = 0;
  std::unique_ptr<Decoder> decoder_;
  GrowthLimits limits_;
  std::uint64_t plain_bytes_ = 0;
  bool stopped_ = false;
};

}  // namespace

std::unique_ptr<Decoder> guard_growth(std::unique_ptr<ByteSource> source, MakeDecoder make, const GrowthLimits& limits) {
  return std::make_unique<GrowthGuard>(std::move(source), make, limits);
}

}  // namespace stagegate
