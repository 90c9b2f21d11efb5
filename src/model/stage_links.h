// Which stage of this run each accepted stage is now.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "model/stage.h"

namespace stagegate {

enum class LinkedWork : std::uint8_t { same, changed };

// From the keys of one run to those of another, of the stages that were matched. Without any link keys speak for themselves.
class StageLinks {
 public:
  void add(const StageKey& before, const StageKey& now, LinkedWork work) {
    now_.insert_or_assign(before.fingerprint, now);
    before_.insert_or_assign(now.fingerprint, before);
    if (work == LinkedWork::same) {
      label_now_.insert_or_assign(before.label, now.label);
    }
  }

  // The key that the stage of this fingerprint has now; null where it has no partner.
  const StageKey* now(std::string_view fingerprint_before) const { return find(now_, fingerprint_before); }
  // The key that it had; null where it is new.
  const StageKey* before(std::string_view fingerprint_now) const { return find(before_, fingerprint_now); }

  // What the stage is called now that does the same work as the one of this label did; LABEL itself where there is none.
  const std::string& label_of_same_work(const std::string& label_before) const {
    const auto found = label_now_.find(label_before);
    return found == label_now_.end() ? label_before : found->second;
  }

 private:
  using Keys = std::map<std::string, StageKey, std::less<>>;  // by fingerprint

  static const StageKey* find(const Keys& keys, std::string_view fingerprint) {
    const auto found = keys.find(fingerprint);
    return found == keys.end() ? nullptr : &found->second;
  }

  Keys now_;
  Keys before_;
  std::map<std::string, std::string> label_now_;
};

}  // namespace stagegate
