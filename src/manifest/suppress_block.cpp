#include "manifest/suppress_block.h"

#include <algorithm>
#include <chrono>
#include <tuple>

#include <fmt/format.h>

#include "base/text.h"

namespace stagegate {
namespace {

bool is_plain_ascii(char byte) {
  return byte >= 0x20 && byte < 0x7F;
}

// A basic string of TOML. A '$' is doubled, since the manifest fills in variables.
std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char byte : text) {
    if (byte == '"' || byte == '\\') {
      out += {'\\', byte};
    } else if (byte == '$') {
      out += "$$";
    } else if (static_cast<unsigned char>(byte) < 0x20 || byte == 0x7F) {
      out += fmt::format("\\u{:04X}", static_cast<unsigned>(byte));
    } else {
      out += byte;
    }
  }
  return out + '"';
}

std::string line_unless_all(std::string_view key, const std::string& glob) {
  return glob == "*" ? std::string() : fmt::format("{} = {}\n", key, quoted(glob));
}

// Of the line feeds that MANIFEST has the last one decides.
std::string_view line_end_of(std::string_view manifest) {
  const auto last = manifest.rfind('\n');
  return last != std::string_view::npos && last > 0 && manifest[last - 1] == '\r' ? "\r\n" : "\n";
}

std::string in_line_ends(const std::string& text, std::string_view line_end) {
  return join(split(text, '\n'), line_end);
}

bool is_same(const Suppression& a, const Suppression& b) {
  return std::tie(a.rule, a.job, a.variant, a.stage, a.reason, a.until) == std::tie(b.rule, b.job, b.variant, b.stage, b.reason, b.until);
}

bool ends_with(std::span<const Suppression> all, std::span<const Suppression> last) {
  return all.size() >= last.size() && std::equal(last.begin(), last.end(), all.end() - static_cast<std::ptrdiff_t>(last.size()), is_same);
}

std::string blocks_of(std::span<const Suppression> added) {
  std::string blocks;
  for (const auto& suppression : added) {
    blocks += "\n" + suppress_block(suppression);
  }
  return blocks;
}

}  // namespace

std::string glob_of(std::string_view text) {
  if (text.empty()) {
    return "*";
  }
  const bool is_clean = clean_text(text) == text;
  const bool is_blank = trim(text).empty();
  std::string glob(text);
  std::replace_if(
      glob.begin(), glob.end(), [&](char byte) { return byte == '*' || is_blank || (!is_clean && !is_plain_ascii(byte)); }, '?');
  return glob;
}

bool is_day(std::string_view text) {
  constexpr std::string_view kForm = "dddd-dd-dd";
  const auto fits = [](char byte, char form) { return form == 'd' ? byte >= '0' && byte <= '9' : byte == form; };
  if (text.size() != kForm.size() || !std::equal(text.begin(), text.end(), kForm.begin(), fits)) {
    return false;
  }
  const auto number = [&](std::size_t begin, std::size_t length) { return std::stoi(std::string(text.substr(begin, length))); };
  return std::chrono::year_month_day(std::chrono::year(number(0, 4)), std::chrono::month(static_cast<unsigned>(number(5, 2))),
                                     std::chrono::day(static_cast<unsigned>(number(8, 2))))
      .ok();
}

std::string suppress_block(const Suppression& suppression) {
  auto block = fmt::format("[[suppress]]\nrule = {}\n", quoted(suppression.rule));
  block += line_unless_all("job", suppression.job);
  block += line_unless_all("variant", suppression.variant);
  block += line_unless_all("stage", suppression.stage);
  block += fmt::format("reason = {}\n", quoted(suppression.reason));
  if (suppression.until) {
    block += fmt::format("until = {}\n", *suppression.until);
  }
  return block;
}

Result<std::string> with_suppressions(std::string_view manifest, std::span<const Suppression> added, const ManifestContext& context) {
  const auto line_end = line_end_of(manifest);
  const bool has_last_end = manifest.empty() || manifest.ends_with('\n');
  auto text = fmt::format("{}{}{}", manifest, has_last_end ? "" : line_end, in_line_ends(blocks_of(added), line_end));
  const auto parsed = parse_manifest(text, context);
  if (parsed && ends_with(parsed->suppressions, added)) {
    return text;
  }
  const auto why = parsed ? std::string("what is added would not be read as it is meant") : parsed.error().message;
  return fail(ErrorKind::usage,
              fmt::format("{}: suppressions cannot be added at its end, so it stays as it is:\n{}\nTo be added by hand:\n{}", context.file,
                          why, blocks_of(added)));
}

}  // namespace stagegate
