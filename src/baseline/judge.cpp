#include "baseline/judge.h"
