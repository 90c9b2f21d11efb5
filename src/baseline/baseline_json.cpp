#include "baseline/baseline_json.h"
