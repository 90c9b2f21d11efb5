#include "run/spark_installation.h"
