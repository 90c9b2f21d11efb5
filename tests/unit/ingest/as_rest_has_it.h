// What of an application Spark's REST API can say, so that one that was read from it can be held against its event log.
#pragma once

#include "model/application.h"

namespace stagegate {

// APPLICATION without what the API does not have, and in an order of its own where the API has another one: tasks by partition, places by
// name.
Application as_rest_has_it(Application application);

}  // namespace stagegate
