#include "sys/process.h"
