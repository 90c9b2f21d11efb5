#include "rules/evaluate.h"
