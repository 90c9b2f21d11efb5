#include "run/find_evidence.h"
