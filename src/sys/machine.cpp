#include "sys/machine.h"
