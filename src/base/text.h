// Small helpers for text that several folders need. Bytes are taken to be UTF-8 where it matters.
#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace stagegate {

std::string_view trim(std::string_view text);
std::vector<std::string> split(std::string_view text, char separator);
std::string join(std::span<const std::string> parts, std::string_view separator);
std::string to_lower_ascii(std::string_view text);

// Whether TEXT has one of WORDS in it, or begins with one of them.
bool contains_any(std::string_view text, std::initializer_list<std::string_view> words);
bool starts_with_any(std::string_view text, std::initializer_list<std::string_view> words);

// Shell-like pattern over the whole of TEXT: '*' any run of characters, '?' one character; everything else is itself.
bool matches_glob(std::string_view pattern, std::string_view text);
// Whether one of PATTERNS fits; without patterns everything does.
bool matches_any_glob(std::span<const std::string> patterns, std::string_view text);

// The candidate that WORD was probably meant to be: the nearest by edit distance (with swapped neighbours as one step),
// or none where even the nearest is too far for a typing mistake.
std::optional<std::string> nearest_name(std::string_view word, std::span<const std::string> candidates);

// "; did you mean 'x'?" for the nearest candidate, or "" where nothing is near.
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);

// Text as it may stand in XML 1.0, in a terminal and in a CI log: terminal escape sequences are removed, bytes that are not
// UTF-8 become U+FFFD, and every code point that XML 1.0 forbids or a terminal obeys (U+0080 to U+009F too) becomes visible as #x1B.
// Tabs and line feeds stay; a carriage return before a line feed goes, a lone one becomes a line feed.
std::string clean_text(std::string_view text);

// The first bytes of TEXT, at most MAX_BYTES, that do not end inside a UTF-8 sequence.
std::string_view first_bytes(std::string_view text, std::size_t max_bytes);

// Text of at most MAX_BYTES bytes: a longer one keeps its head and its tail around a line "... N bytes cut ...".
// Never cuts inside a UTF-8 sequence.
std::string shorten_middle(std::string_view text, std::size_t max_bytes);

}  // namespace stagegate
