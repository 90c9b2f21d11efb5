#include "ingest/archive_logs.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "ingest/archive_reader.h"
#include "ingest/decoder.h"
#include "ingest/event_batch.h"
#include "ingest/log_assembly.h"
#include "ingest/log_parts.h"
#include "ingest/part_reader.h"

namespace stagegate {
namespace {

// A file of the archive, read.
struct Unit {
  std::string folder;  // "" at the top
  std::string name;
  bool is_part = false;        // by its name: the folder that it lies in is a log
  std::optional<Error> error;  // why it cannot be read: it is no log
  PartSummary summary;
  std::vector<EventBatch> batches;
  LogHead head;
};

// Units that are one log together: those of a folder that is one, or a lone one.
struct Group {
  std::string name;
  std::optional<LogParts> parts;
  std::vector<Unit*> units;  // in the order of the parts
  LogHead head;
};

std::pair<std::string, std::string> split_path(const std::string& path) {
  const auto slash = path.find_last_of('/');
  return slash == std::string::npos ? std::pair(std::string(), path) : std::pair(path.substr(0, slash), path.substr(slash + 1));
}

std::string last_name(const std::string& path) {
  return split_path(path).second;
}

class ArchiveLogs {
 public:
  enum class Keep { heads, parts, all };

  ArchiveLogs(TaskDepth depth, Keep keep, LogChoice choice) : reader_(depth), keep_(keep), choice_(std::move(choice)) {}

  Status read(ArchiveReader& archive) {
    for (;;) {
      STAGEGATE_TRY_ASSIGN(entry, archive.next());
      if (!entry) {
        break;
      }
      if (!entry->is_folder) {
        STAGEGATE_TRY(read_unit(entry->path, archive.content()));
      }
    }
    damage_ = archive.damage();
    return {};
  }

  // As in a folder: files that lie beside logs and do not begin like one are left out, unless nothing does.
  std::vector<Group> groups() {
    std::map<std::string, std::vector<Unit*>> folders;
    for (auto& unit : units_) {
      folders[unit.folder].push_back(&unit);
    }
    std::vector<Group> groups;
    for (auto& [folder, units] : folders) {
      add_groups(folder, units, groups);
    }
    const auto is_log = [](const Group& group) { return group.parts || group.head.known(); };
    if (std::any_of(groups.begin(), groups.end(), is_log)) {
      std::erase_if(groups, [&](const Group& group) { return !is_log(group); });
    }
    std::stable_sort(groups.begin(), groups.end(), [](const Group& a, const Group& b) { return a.name < b.name; });
    return groups;
  }

  const std::string& damage() const { return damage_; }

 private:
  Status read_unit(const std::string& path, std::unique_ptr<ByteSource> content) {
    auto [folder, name] = split_path(path);
    if (name.empty() || name.starts_with('.')) {
      return {};
    }
    Unit unit;
    unit.folder = std::move(folder);
    unit.name = std::move(name);
    unit.is_part = parts_of_log(std::vector<FolderEntry>{{unit.name, false}}).has_value();
    unit.head.log = path;
    auto decoder = open_decoder(std::move(content), unit.name);
    if (decoder) {
      STAGEGATE_TRY_ASSIGN(summary, read_events(**decoder, unit));
      unit.summary = std::move(summary);
    } else {
      // Something else that was packed with the logs, if its name is not that of a part or of a mark beside them.
      unit.error = std::move(decoder).error();
    }
    units_.push_back(std::move(unit));
    return {};
  }

  Result<PartSummary> read_events(Decoder& decoder, Unit& unit) {
    EventBatch batch;
    STAGEGATE_TRY_ASSIGN(summary, reader_.read(decoder, [&](Event& event, std::size_t line_bytes) {
      if (!unit.head.known() && take_head(unit.head, event)) {
        note(unit);
      }
      if (!is_wanted(unit)) {
        batch = EventBatch();
        unit.batches.clear();
        return !unit.head.known();
      }
      batch.add(event, line_bytes);
      if (batch.is_full()) {
        unit.batches.push_back(std::exchange(batch, EventBatch()));
      }
      return true;
    }));
    if (!batch.empty()) {
      unit.batches.push_back(std::move(batch));
    }
    return summary;
  }

  // As far as it is known by now. The head of a log is that of its first part, whatever the others say.
  bool is_wanted(const Unit& unit) const {
    const bool kept = keep_ == Keep::all || (keep_ == Keep::parts && unit.is_part);
    const bool is_head = !unit.is_part || part_number(unit.name) == 1;
    return kept && (!is_head || choice_.allows(unit.head) || choice_.app == unit.folder);
  }

  // From the second application on, while none is chosen, only the names are of use: there will be a table of them. Two files of one folder
  // may turn out to be one log, or to lie beside the one that the folder is: what could be its parts is kept.
  void note(const Unit& unit) {
    if (choice_.any() || !first_) {
      first_ = first_ ? first_ : std::optional(First{unit.head, unit.folder, unit.is_part});
      return;
    }
    const auto& head = first_->head;
    const bool same = head.id == unit.head.id && head.name == unit.head.name && head.start_ms == unit.head.start_ms;
    const bool one_folder = first_->folder == unit.folder;
    if (same || (one_folder && (first_->is_part || unit.is_part))) {
      return;
    }
    keep_ = one_folder && keep_ != Keep::heads ? Keep::parts : Keep::heads;
    for (auto& known : units_) {
      if (!is_wanted(known)) {
        known.batches.clear();
      }
    }
  }

  static void add_groups(const std::string& folder, std::span<Unit*> units, std::vector<Group>& groups) {
    std::vector<FolderEntry> entries;
    for (const auto* unit : units) {
      entries.push_back({unit->name, false});
    }
    if (auto parts = parts_of_log(entries)) {
      Group group;
      group.name = folder;
      for (const auto& name : parts->names) {
        const auto unit = std::find_if(units.begin(), units.end(), [&](const Unit* candidate) { return candidate->name == name; });
        group.units.push_back(*unit);
        group.head = group.head.known() ? group.head : (*unit)->head;
      }
      group.head.log = folder;
      group.parts = std::move(parts);
      groups.push_back(std::move(group));
      return;
    }
    for (auto* unit : units) {
      if (unit->summary.events > 0) {
        groups.push_back({.name = unit->head.log, .parts = std::nullopt, .units = {unit}, .head = unit->head});
      }
    }
  }

  struct First {
    LogHead head;
    std::string folder;
    bool is_part = false;
  };

  PartReader reader_;
  Keep keep_;
  LogChoice choice_;
  std::optional<First> first_;
  std::vector<Unit> units_;
  std::string damage_;
};

std::vector<LogHead> heads_of(std::span<const Group> groups) {
  std::vector<LogHead> heads;
  for (const auto& group : groups) {
    heads.push_back(group.head);
  }
  return heads;
}

Result<Application> assemble(Group& group, TaskDepth depth, const std::string& archive_damage) {
  LogAssembly assembly(group.parts ? LogAssembly::Layout::parts : LogAssembly::Layout::single, depth);
  for (auto* unit : group.units) {
    if (unit->error) {
      return tl::unexpected(*unit->error);
    }
    for (auto& batch : unit->batches) {
      batch.replay([&](Event& event) { assembly.add(event); });
    }
    unit->batches.clear();
    assembly.end_part(unit->name, unit->summary);
  }
  const auto name = last_name(group.name);
  auto parts = group.parts ? *std::move(group.parts) : parts_of_file(name);
  if (!archive_damage.empty()) {
    parts.problems.push_back({"stream-cut", fmt::format("the archive is not whole, because {}: what followed is missing", archive_damage)});
  }
  return std::move(assembly).finish(std::move(parts), std::nullopt, name);
}

tl::unexpected<Error> no_log(std::string_view name, const std::string& damage) {
  return fail(ErrorKind::evidence, damage.empty() ? fmt::format("the archive '{}' holds no event log", name)
                                                  : fmt::format("the archive '{}' holds no event log that can be read: {}", name, damage));
}

}  // namespace

Result<Application> read_archived_log(std::unique_ptr<ByteSource> bytes, std::string_view name, TaskDepth depth, const LogChoice& choice) {
  STAGEGATE_TRY_ASSIGN(archive, open_archive(std::move(bytes), name));
  ArchiveLogs logs(depth, ArchiveLogs::Keep::all, choice);
  STAGEGATE_TRY(logs.read(*archive));
  auto groups = logs.groups();
  if (groups.empty()) {
    return no_log(name, logs.damage());
  }
  if (groups.size() == 1 && !choice.any()) {
    return assemble(groups.front(), depth, logs.damage());
  }
  const auto heads = heads_of(groups);
  STAGEGATE_TRY_ASSIGN(chosen, choose(heads, choice, fmt::format("the archive '{}'", name)));
  return assemble(groups[chosen], depth, logs.damage());
}

Result<std::vector<LogHead>> list_archived_logs(std::unique_ptr<ByteSource> bytes, std::string_view name) {
  STAGEGATE_TRY_ASSIGN(archive, open_archive(std::move(bytes), name));
  ArchiveLogs logs(TaskDepth::judged, ArchiveLogs::Keep::heads, {});
  STAGEGATE_TRY(logs.read(*archive));
  const auto groups = logs.groups();
  if (groups.empty()) {
    return no_log(name, logs.damage());
  }
  return heads_of(groups);
}

}  // namespace stagegate
