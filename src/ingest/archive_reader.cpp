#include "ingest/archive_reader.h"

#include <locale.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include "ingest/archive_feed.h"
#include "ingest/byte_form.h"
#include "ingest/peeked_source.h"

namespace stagegate {
namespace {

using namespace std::string_view_literals;

la_ssize_t feed_library(archive* library, void* feed, const void** part) {
  const auto bytes = static_cast<ArchiveFeed*>(feed)->next();
  if (static_cast<ArchiveFeed*>(feed)->error()) {
    archive_set_error(library, EIO, "the source failed");
    return -1;
  }
  *part = bytes.data();
  return static_cast<la_ssize_t>(bytes.size());
}

struct FreeLocale {
  void operator()(locale_t locale) const { freelocale(locale); }
};

using Locale = std::unique_ptr<std::remove_pointer_t<locale_t>, FreeLocale>;

// The library converts names to the character set of the thread, and drops those it cannot convert. Nothing else may notice the change.
class InLocale {
 public:
  explicit InLocale(const Locale& locale) : before_(locale ? uselocale(locale.get()) : nullptr) {}
  InLocale(const InLocale&) = delete;
  InLocale& operator=(const InLocale&) = delete;
  ~InLocale() {
    if (before_ != nullptr) {
      uselocale(before_);
    }
  }

 private:
  locale_t before_;
};

struct FreeArchive {
  void operator()(archive* library) const { archive_read_free(library); }
};

std::string path_of(archive_entry* entry) {
  const char* path = archive_entry_pathname(entry);
  std::string_view text = path == nullptr ? "" : path;
  while (text.size() > 1 && text.ends_with('/')) {
    text.remove_suffix(1);
  }
  return std::string(text);
}

enum class ArchiveForm { zip, tar };

}  // namespace

struct ArchiveReader::Archive {
  Archive(std::unique_ptr<ByteSource> source, ArchiveForm form_of_it, std::string_view name_of_it, const GrowthLimits& growth_limits)
      : feed(std::move(source)), form(form_of_it), name(name_of_it), limits(growth_limits), library(archive_read_new()) {
    if (form == ArchiveForm::zip) {
      archive_read_support_format_zip_streamable(library.get());
    } else {
      archive_read_support_format_tar(library.get());
      // What follows the end of a tar archive may be another one, as `cat` makes it.
      archive_read_set_option(library.get(), "tar", "read_concatenated_archives", "1");
    }
  }

  Result<std::optional<ArchiveEntry>> next();
  Result<std::size_t> read(std::span<char> buffer);

  Result<bool> next_header(archive_entry*& header);
  Result<bool> next_block();
  Status note_stop();
  Status note_end();
  std::string_view form_name() const { return form == ArchiveForm::zip ? "zip" : "tar"; }
  std::string where() const;

  ArchiveFeed feed;
  ArchiveForm form;
  std::string name;
  GrowthLimits limits;
  std::unique_ptr<archive, FreeArchive> library;
  Locale utf8{newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr)};
  bool is_open = false;
  bool ended = false;
  std::uint64_t entries = 0;  // also those that are passed over
  std::optional<std::string> open_entry;
  std::uint64_t plain_bytes = 0;
  std::string damage;

  // Of the open entry: what the library gave last and was not handed on, behind zero bytes for which it gives nothing.
  std::uint64_t position = 0;
  std::uint64_t zeros = 0;
  std::string_view block;
  bool entry_ended = true;
};

namespace {

class Content : public ByteSource {
 public:
  explicit Content(ArchiveReader::Archive& archive) : archive_(archive), entry_(archive.entries) {}

  Result<std::size_t> read(std::span<char> buffer) override {
    assert(entry_ == archive_.entries && "the content of an entry is read before the next is asked for");
    return archive_.read(buffer);
  }

 private:
  ArchiveReader::Archive& archive_;
  [[maybe_unused]] std::uint64_t entry_;
};

}  // namespace

std::string ArchiveReader::Archive::where() const {
  if (open_entry) {
    return fmt::format("in the middle of '{}'", *open_entry);
  }
  return entries == 0 ? "at its beginning" : fmt::format("behind its entry {}", entries);
}

// The library cannot go on: the source failed, or the archive did. It wants more than the one block of zeros that ends a tar archive.
Status ArchiveReader::Archive::note_stop() {
  if (feed.error()) {
    return tl::unexpected(*feed.error());
  }
  if (feed.exhausted() && form == ArchiveForm::tar && !open_entry && ends_in_zero_block(feed)) {
    return {};
  }
  const char* what = archive_error_string(library.get());
  damage = feed.exhausted()
               ? fmt::format("the {} archive is cut off {}", form_name(), where())
               : fmt::format("the {} archive is damaged {} ({})", form_name(), where(), what == nullptr ? "no reason given" : what);
  return {};
}

// The library takes it for the end where a zip archive's directory begins, whatever it had to pass over before; and where a tar archive
// just stops between two entries.
Status ArchiveReader::Archive::note_end() {
  while (!feed.next().empty()) {
  }
  if (feed.error()) {
    return tl::unexpected(*feed.error());
  }
  if (form == ArchiveForm::tar) {
    if (!ends_in_zero_block(feed)) {
      damage = fmt::format("the tar archive is cut off {}", where());
    }
    return {};
  }
  const auto directory = find_zip_directory(feed);
  if (!directory) {
    damage = fmt::format("the zip archive is cut off {}", where());
  } else if (directory->entries.value_or(0) > entries) {
    damage = fmt::format("the zip archive is damaged (its directory has {} entries, and {} were found)", *directory->entries, entries);
  }
  return {};
}

// What was not read of an entry is passed over here and not with the next header, so that it is known where a cut is.
Result<bool> ArchiveReader::Archive::next_header(archive_entry*& header) {
  const InLocale names(utf8);
  auto state = ARCHIVE_OK;
  if (!is_open) {
    is_open = true;
    state = archive_read_open2(library.get(), &feed, nullptr, feed_library, nullptr, nullptr);
  } else if (!entry_ended) {
    state = archive_read_data_skip(library.get());
  }
  if (state == ARCHIVE_OK || state == ARCHIVE_WARN || state == ARCHIVE_EOF) {
    open_entry.reset();
    state = archive_read_next_header(library.get(), &header);
  }
  if (state == ARCHIVE_OK || state == ARCHIVE_WARN) {
    return true;
  }
  if (state == ARCHIVE_EOF) {
    STAGEGATE_TRY(note_end());
  } else {
    STAGEGATE_TRY(note_stop());
  }
  return false;
}

Result<std::optional<ArchiveEntry>> ArchiveReader::Archive::next() {
  archive_entry* header = nullptr;
  while (damage.empty() && !ended) {
    STAGEGATE_TRY_ASSIGN(found, next_header(header));
    if (!found) {
      ended = true;
      break;
    }
    ++entries;
    const auto type = archive_entry_filetype(header);
    if ((type != AE_IFREG && type != AE_IFDIR) || archive_entry_hardlink(header) != nullptr) {
      entry_ended = true;
      continue;
    }
    ArchiveEntry entry{path_of(header), type == AE_IFDIR, std::nullopt};
    if (archive_entry_is_encrypted(header) != 0) {
      return fail(ErrorKind::evidence, fmt::format("'{}' in '{}' is encrypted, so it cannot be read; unpack the archive with its password, "
                                                   "and name the log in it",
                                                   entry.path, name));
    }
    if (archive_entry_size_is_set(header) != 0 && archive_entry_size(header) >= 0) {
      entry.bytes = static_cast<std::uint64_t>(archive_entry_size(header));
    }
    open_entry = entry.path;
    position = zeros = 0;
    block = {};
    entry_ended = false;
    return entry;
  }
  return std::nullopt;
}

// False when the entry has come to an end, whatever its reason.
Result<bool> ArchiveReader::Archive::next_block() {
  const void* data = nullptr;
  std::size_t count = 0;
  la_int64_t offset = 0;
  const auto state = archive_read_data_block(library.get(), &data, &count, &offset);
  if (state != ARCHIVE_OK && state != ARCHIVE_EOF) {
    entry_ended = true;
    STAGEGATE_TRY(note_stop());
    return false;
  }
  const auto begin = static_cast<std::uint64_t>(std::max<la_int64_t>(offset, 0));
  zeros = begin > position ? begin - position : 0;
  block = state == ARCHIVE_OK ? std::string_view(static_cast<const char*>(data), count) : ""sv;
  position += zeros + block.size();
  entry_ended = state == ARCHIVE_EOF;
  return true;
}

Result<std::size_t> ArchiveReader::Archive::read(std::span<char> buffer) {
  while (zeros == 0 && block.empty() && !entry_ended) {
    STAGEGATE_TRY_ASSIGN(more, next_block());
    if (!more) {
      return 0;
    }
  }
  std::size_t count = 0;
  if (zeros > 0) {
    count = static_cast<std::size_t>(std::min<std::uint64_t>(zeros, buffer.size()));
    std::memset(buffer.data(), 0, count);
    zeros -= count;
  } else {
    count = block.copy(buffer.data(), buffer.size());
    block.remove_prefix(count);
  }
  plain_bytes += count;
  if (limits.passed(feed.bytes(), plain_bytes)) {
    damage = kGrowthDamage;
    zeros = 0;
    block = {};
    entry_ended = true;
    return 0;
  }
  return count;
}

ArchiveReader::ArchiveReader(std::unique_ptr<Archive> archive) : archive_(std::move(archive)) {}
ArchiveReader::~ArchiveReader() = default;

Result<std::optional<ArchiveEntry>> ArchiveReader::next() {
  return archive_->next();
}

std::unique_ptr<ByteSource> ArchiveReader::content() {
  return std::make_unique<Content>(*archive_);
}

std::string ArchiveReader::damage() const {
  return archive_->damage;
}

Result<std::unique_ptr<ArchiveReader>> open_archive(std::unique_ptr<ByteSource> source, std::string_view name, const GrowthLimits& limits) {
  auto peeked = std::make_unique<PeekedSource>(std::move(source));
  STAGEGATE_TRY_ASSIGN(begin, peeked->peek(kTarBlockBytes));
  const bool is_zip = form_of(begin) == ByteForm::zip;
  if (!is_zip && !is_tar(begin)) {
    return fail(ErrorKind::evidence, fmt::format("'{}' is neither a zip nor a tar archive", name));
  }
  return std::make_unique<ArchiveReader>(
      std::make_unique<ArchiveReader::Archive>(std::move(peeked), is_zip ? ArchiveForm::zip : ArchiveForm::tar, name, limits));
}

}  // namespace stagegate
