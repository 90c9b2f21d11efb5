#include "sys/file.h"
