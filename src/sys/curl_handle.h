// libcurl's handles as values of ours: set up from the settings, asked for what came, freed. CURL and CURLM are void in libcurl's header
// too.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "sys/http_transfer.h"

namespace stagegate {

// A multi handle, which keeps the connections.
class ConnectionPool {
 public:
  ConnectionPool();
  ConnectionPool(const ConnectionPool&) = delete;
  ConnectionPool& operator=(const ConnectionPool&) = delete;
  ~ConnectionPool();
  void* handle() const { return handle_; }

 private:
  void* handle_;
};

// An easy handle for one request: a new one each time, so that nothing that one host was told is left for the next.
class EasyHandle {
 public:
  EasyHandle(const WebAddress& address, const HttpSettings& settings, BodyUse use, const std::vector<std::string>* private_lines);
  EasyHandle(const EasyHandle&) = delete;
  EasyHandle& operator=(const EasyHandle&) = delete;
  ~EasyHandle();
  void* handle() const { return handle_; }

  AnswerHead head() const;
  // What CURLE_... of a transfer means that got so far.
  WebFailure failure(int code, bool connected, bool head_complete) const;

 private:
  template <typename Value>
  void set(int option, Value value);
  void set_up_transfer(const HttpSettings& settings, BodyUse use);
  void set_up_trust(const HttpSettings& settings);
  void set_up_credentials(const HttpSettings& settings, const std::vector<std::string>& private_lines);
  WebTrouble trouble(int code, bool connected, bool head_complete) const;

  void* handle_;
  std::string scheme_;
  void* header_list_ = nullptr;  // a curl_slist
  std::array<char, 256> error_text_{};
};

}  // namespace stagegate
