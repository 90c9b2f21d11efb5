#include "sys/curl_library.h"

#include <dlfcn.h>

#include <stdexcept>
#include <string>

#include <fmt/format.h>

namespace stagegate {
namespace {

// It stays loaded: libcurl registers what runs when the process ends.
class Loader {
 public:
  Loader() : library_(::dlopen(STAGEGATE_LIBCURL, RTLD_NOW | RTLD_LOCAL)) { note_problem(library_); }

  template <typename Function>
  void find(const char* name, Function& function) {
    if (problem_.empty()) {
      function = reinterpret_cast<Function>(::dlsym(library_, name));
      note_problem(reinterpret_cast<void*>(function));
    }
  }

  const std::string& problem() const { return problem_; }

 private:
  void note_problem(const void* found) {
    if (found == nullptr) {
      const char* reason = ::dlerror();
      problem_ = reason == nullptr ? "it lacks a function" : reason;
    }
  }

  void* library_;
  std::string problem_;
};

Result<CurlLibrary> load() {
  Loader loader;
  CurlLibrary curl{};
  loader.find("curl_global_init", curl.global_init);
  loader.find("curl_free", curl.free);
  loader.find("curl_slist_append", curl.slist_append);
  loader.find("curl_slist_free_all", curl.slist_free_all);
  loader.find("curl_url", curl.url);
  loader.find("curl_url_cleanup", curl.url_cleanup);
  loader.find("curl_url_get", curl.url_get);
  loader.find("curl_url_set", curl.url_set);
  loader.find("curl_easy_init", curl.easy_init);
  loader.find("curl_easy_cleanup", curl.easy_cleanup);
  loader.find("curl_easy_setopt", curl.easy_setopt);
  loader.find("curl_easy_getinfo", curl.easy_getinfo);
  loader.find("curl_easy_header", curl.easy_header);
  loader.find("curl_easy_pause", curl.easy_pause);
  loader.find("curl_easy_strerror", curl.easy_strerror);
  loader.find("curl_multi_init", curl.multi_init);
  loader.find("curl_multi_cleanup", curl.multi_cleanup);
  loader.find("curl_multi_add_handle", curl.multi_add_handle);
  loader.find("curl_multi_remove_handle", curl.multi_remove_handle);
  loader.find("curl_multi_perform", curl.multi_perform);
  loader.find("curl_multi_poll", curl.multi_poll);
  loader.find("curl_multi_info_read", curl.multi_info_read);
  loader.find("curl_multi_strerror", curl.multi_strerror);
  if (!loader.problem().empty()) {
    return fail(ErrorKind::evidence, fmt::format("addresses are read by libcurl, which cannot be loaded: {}; install {} (7.85 or later), "
                                                 "or name an event log",
                                                 loader.problem(), STAGEGATE_LIBCURL));
  }
  return curl;
}

}  // namespace

Result<const CurlLibrary*> load_curl() {
  static const Result<CurlLibrary> loaded = load();
  if (!loaded) {
    return tl::unexpected<Error>(loaded.error());
  }
  return &*loaded;
}

const CurlLibrary& curl() {
  const auto loaded = load_curl();
  if (!loaded) {
    throw std::runtime_error(loaded.error().message);
  }
  return **loaded;
}

}  // namespace stagegate
