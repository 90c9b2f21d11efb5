#include "ingest/growth_guard.h"

#include <utility>

namespace stagegate {
namespace {

class CountedSource : public ByteSource {
 public:
  explicit CountedSource(std::unique_ptr<ByteSource> source) : source_(std::move(source)) {}

  Result<std::size_t> read(std::span<char> buffer) override {
    STAGEGATE_TRY_ASSIGN(count, source_->read(buffer));
    bytes_ += count;
    return count;
  }

  std::uint64_t bytes() const { return bytes_; }

 private:
  std::unique_ptr<ByteSource> source_;
  std::uint64_t bytes_ = 0;
};

class GrowthGuard : public Decoder {
 public:
  // STORED is owned by DECODER.
  GrowthGuard(std::unique_ptr<Decoder> decoder, const CountedSource& stored, const GrowthLimits& limits)
      : decoder_(std::move(decoder)), stored_(stored), limits_(limits) {}

  Result<std::size_t> read(std::span<char> buffer) override {
    if (stopped_) {
      return 0;
    }
    STAGEGATE_TRY_ASSIGN(count, decoder_->read(buffer));
    plain_bytes_ += count;
    stopped_ = limits_.passed(stored_.bytes(), plain_bytes_);
    return stopped_ ? 0 : count;
  }

  std::string damage() const override { return stopped_ ? kGrowthDamage : decoder_->damage(); }

 private:
  std::unique_ptr<Decoder> decoder_;
  const CountedSource& stored_;
  GrowthLimits limits_;
  std::uint64_t plain_bytes_ = 0;
  bool stopped_ = false;
};

}  // namespace

std::unique_ptr<Decoder> guard_growth(std::unique_ptr<ByteSource> source, MakeDecoder make, const GrowthLimits& limits) {
  auto stored = std::make_unique<CountedSource>(std::move(source));
  const auto& count = *stored;
  return std::make_unique<GrowthGuard>(make(std::move(stored)), count, limits);
}

}  // namespace stagegate
