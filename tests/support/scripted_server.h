// A web server that says what a test tells it to, byte by byte, on a port of its own of 127.0.0.1.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <initializer_list>
#include <list>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace stagegate::test {

class ScriptedServer;

// One connection, as a script sees it that has just got the head of a request.
class ServerSide {
 public:
  ServerSide(ScriptedServer& server, int socket) : server_(server), socket_(socket) {}

  // False where the other side has gone.
  bool send(std::string_view bytes);
  void close();
  // As a process that is killed does it: with an RST.
  void reset();
  // False where the server is to end.
  bool wait(std::chrono::milliseconds duration);
  void wait_for_the_end();

 private:
  friend class ScriptedServer;

  ScriptedServer& server_;
  int socket_;
  bool open_ = true;
};

class ScriptedServer {
 public:
  using Script = std::function<void(ServerSide&)>;

  // The n-th request gets the n-th script, and all after the last one get the last one.
  // GREETING is sent as soon as somebody comes.
  explicit ScriptedServer(std::vector<Script> scripts, std::string greeting = {});
  ScriptedServer(const ScriptedServer&) = delete;
  ScriptedServer& operator=(const ScriptedServer&) = delete;
  ~ScriptedServer();

  int port() const { return port_; }
  std::string url(std::string_view path = "/") const;
  // The heads that came, as they came.
  std::vector<std::string> requests() const;
  int connections() const;

 private:
  friend class ServerSide;

  void accept_connections();
  void serve(int socket);
  std::string read_head(int socket);
  Script next_script(std::string head);

  std::vector<Script> scripts_;
  std::string greeting_;
  int listener_ = -1;
  int port_ = 0;

  mutable std::mutex mutex_;
  std::condition_variable ending_;
  bool ended_ = false;
  std::vector<std::string> requests_;
  std::vector<int> sockets_;
  std::list<std::thread> threads_;
  std::thread acceptor_;
};

// An answer with its Content-Length: answer("200 OK", {"Content-Type: text/plain"}, "text").
std::string answer(std::string_view status, std::initializer_list<std::string_view> headers, std::string_view body);

// A script that sends this, and is ready for the next request.
ScriptedServer::Script says(std::string bytes);
// A script that sends this and closes the connection.
ScriptedServer::Script says_and_closes(std::string bytes);

}  // namespace stagegate::test
