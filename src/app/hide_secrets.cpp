#include "app/hide_secrets.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <string_view>

namespace stagegate {
namespace {

constexpr char kMask = '*';

void mask(char* begin, const char* end) {
  std::fill(begin, begin + (end - begin), kMask);
}

// Behind the first ':', or all of it.
void mask_value(char* text) {
  char* const colon = std::strchr(text, ':');
  mask(colon == nullptr ? text : colon + 1, text + std::strlen(text));
}

// "NAME" has no password, "NAME:PASSWORD" has.
void mask_password(char* text) {
  if (std::strchr(text, ':') != nullptr) {
    mask_value(text);
  }
}

void mask_address(char* text) {
  char* const scheme = std::strstr(text, "://");
  if (scheme == nullptr) {
    return;
  }
  char* const authority = scheme + 3;
  char* const end = authority + std::strcspn(authority, "/?#");
  char* const colon = std::find(authority, end, ':');
  // The last one: a password may hold more of them.
  char* const at = std::find(std::reverse_iterator(end), std::reverse_iterator(authority), '@').base() - 1;
  if (authority <= at && colon < at) {
    mask(colon + 1, at);
  }
}

}  // namespace

void hide_secrets(int argc, char** argv) {
  using Mask = void (*)(char*);
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    const Mask masks = word.starts_with("--header") ? mask_value : word.starts_with("--user") ? mask_password : nullptr;
    if (masks == nullptr) {
      mask_address(argv[i]);
    } else if (const auto equals = word.find('='); equals != std::string_view::npos) {
      masks(argv[i] + equals + 1);
    } else if (i + 1 < argc) {
      masks(argv[++i]);
    }
  }
}

}  // namespace stagegate
