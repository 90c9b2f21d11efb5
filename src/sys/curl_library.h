// libcurl, loaded when the first address is taken apart: with the thirty libraries that it brings along a process takes twice as long to
// start, and most reports read files.
#pragma once

#include <curl/curl.h>

#include "base/result.h"

namespace stagegate {

// The functions that are used, called as in libcurl without `curl_`.
struct CurlLibrary {
  decltype(&::curl_global_init) global_init;
  decltype(&::curl_free) free;
  decltype(&::curl_slist_append) slist_append;
  decltype(&::curl_slist_free_all) slist_free_all;
  decltype(&::curl_url) url;
  decltype(&::curl_url_cleanup) url_cleanup;
  decltype(&::curl_url_get) url_get;
  decltype(&::curl_url_set) url_set;
  decltype(&::curl_easy_init) easy_init;
  decltype(&::curl_easy_cleanup) easy_cleanup;
  decltype(&::curl_easy_setopt) easy_setopt;
  decltype(&::curl_easy_getinfo) easy_getinfo;
  decltype(&::curl_easy_header) easy_header;
  decltype(&::curl_easy_pause) easy_pause;
  decltype(&::curl_easy_strerror) easy_strerror;
  decltype(&::curl_multi_init) multi_init;
  decltype(&::curl_multi_cleanup) multi_cleanup;
  decltype(&::curl_multi_add_handle) multi_add_handle;
  decltype(&::curl_multi_remove_handle) multi_remove_handle;
  decltype(&::curl_multi_perform) multi_perform;
  decltype(&::curl_multi_poll) multi_poll;
  decltype(&::curl_multi_info_read) multi_info_read;
  decltype(&::curl_multi_strerror) multi_strerror;
};

// Loads it, once in the life of the process. Kind evidence: it is not there, or too old.
Result<const CurlLibrary*> load_curl();

// For all that comes after an address was taken apart. It throws where load_curl() fails.
const CurlLibrary& curl();

}  // namespace stagegate
