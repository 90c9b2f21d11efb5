#include "sys/interrupt.h"
