// One question to the web: through redirects and retries to an answer, or to a sentence that says why there is none.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "sys/http_settings.h"
#include "sys/http_transfer.h"
#include "sys/request_headers.h"
#include "sys/retry_policy.h"
#include "sys/web_address.h"
#include "sys/web_failure.h"

namespace stagegate {

// Turns what went wrong into an error that names the address.
using WebErrors = std::function<Error(const WebFailure&)>;

struct WebReply {
  AnswerHead head;
  WebAddress address;                      // that answered
  std::unique_ptr<HttpTransfer> transfer;  // with the body: all of a held one
  WebErrors errors;                        // for what happens to the rest of the body
};

class HttpRequest {
 public:
  HttpRequest(const HttpSettings& settings, std::shared_ptr<ConnectionPool> pool, BodyUse use);

  Result<WebReply> ask(const std::string& url);

 private:
  struct Exchange {
    AnswerHead head;
    std::unique_ptr<HttpTransfer> transfer;
  };

  Transferred<Exchange> exchange();
  Transferred<Exchange> exchange_with_retries();
  Status go_on_to(const std::string& location);
  WebErrors errors() const;
  std::string place() const;

  const HttpSettings& settings_;
  SecretMask mask_;
  std::shared_ptr<ConnectionPool> pool_;
  BodyUse use_;
  RetryPolicy retries_;
  std::vector<std::string> private_headers_;
  WebAddress first_;
  WebAddress current_;
  std::set<std::string> seen_;  // URLs, so that a circle is known for one
};

}  // namespace stagegate
