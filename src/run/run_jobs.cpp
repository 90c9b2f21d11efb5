#include "run/run_jobs.h"
