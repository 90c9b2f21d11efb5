#include "support/scripted_server.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace stagegate::test {

bool ServerSide::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto count = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count <= 0) {
      return false;
    }
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

void ServerSide::close() {
  open_ = false;
}

void ServerSide::reset() {
  const linger at_once{1, 0};
  ::setsockopt(socket_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  close();
}

bool ServerSide::wait(std::chrono::milliseconds duration) {
  std::unique_lock lock(server_.mutex_);
  return !server_.ending_.wait_for(lock, duration, [this] { return server_.ended_; });
}

void ServerSide::wait_for_the_end() {
  while (wait(std::chrono::seconds(1))) {
  }
}

ScriptedServer::ScriptedServer(std::vector<Script> scripts, std::string greeting)
    : scripts_(std::move(scripts)), greeting_(std::move(greeting)), listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  EXPECT_EQ(::bind(listener_, generic, size), 0);
  EXPECT_EQ(::listen(listener_, 16), 0);
  EXPECT_EQ(::getsockname(listener_, generic, &size), 0);
  port_ = ntohs(address.sin_port);
  acceptor_ = std::thread([this] { accept_connections(); });
}

ScriptedServer::~ScriptedServer() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    ::shutdown(listener_, SHUT_RDWR);
    for (const int socket : sockets_) {
      ::shutdown(socket, SHUT_RDWR);
    }
  }
  ending_.notify_all();
  acceptor_.join();
  for (auto& thread : threads_) {
    thread.join();
  }
  ::close(listener_);
}

std::string ScriptedServer::url(std::string_view path) const {
  return fmt::format("http://127.0.0.1:{}{}", port_, path);
}

std::vector<std::string> ScriptedServer::requests() const {
  const std::lock_guard lock(mutex_);
  return requests_;
}

int ScriptedServer::connections() const {
  const std::lock_guard lock(mutex_);
  return static_cast<int>(threads_.size());
}

void ScriptedServer::accept_connections() {
  for (;;) {
    const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket < 0) {
      return;
    }
    const std::lock_guard lock(mutex_);
    if (ended_) {
      ::close(socket);
      return;
    }
    sockets_.push_back(socket);
    threads_.emplace_back([this, socket] { serve(socket); });
  }
}

void ScriptedServer::serve(int socket) {
  ServerSide side(*this, socket);
  side.send(greeting_);
  while (side.open_) {
    auto head = read_head(socket);
    if (head.empty()) {
      break;
    }
    next_script(std::move(head))(side);
  }
  const std::lock_guard lock(mutex_);
  std::erase(sockets_, socket);
  ::close(socket);
}

// To the empty line; "" where the connection ends before.
std::string ScriptedServer::read_head(int socket) {
  std::string head;
  std::array<char, 4096> buffer;
  while (!head.ends_with("\r\n\r\n")) {
    const auto count = ::recv(socket, buffer.data(), buffer.size(), 0);
    if (count <= 0) {
      return {};
    }
    head.append(buffer.data(), static_cast<std::size_t>(count));
  }
  return head;
}

ScriptedServer::Script ScriptedServer::next_script(std::string head) {
  const std::lock_guard lock(mutex_);
  requests_.push_back(std::move(head));
  return scripts_[std::min(requests_.size(), scripts_.size()) - 1];
}

std::string answer(std::string_view status, std::initializer_list<std::string_view> headers, std::string_view body) {
  auto text = fmt::format("HTTP/1.1 {}\r\nContent-Length: {}\r\n", status, body.size());
  for (const auto header : headers) {
    text += fmt::format("{}\r\n", header);
  }
  return fmt::format("{}\r\n{}", text, body);
}

ScriptedServer::Script says(std::string bytes) {
  return [bytes = std::move(bytes)](ServerSide& side) { side.send(bytes); };
}

ScriptedServer::Script says_and_closes(std::string bytes) {
  return [bytes = std::move(bytes)](ServerSide& side) {
    side.send(bytes);
    side.close();
  };
}

}  // namespace stagegate::test
