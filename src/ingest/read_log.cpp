#include "ingest/read_log.h"
