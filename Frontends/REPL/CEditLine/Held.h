// What the two halves of the shim share.
#ifndef HELD_H
#define HELD_H

#include <stdbool.h>

struct ce_editor;

/// Has libedit set the modes in which lines are read, or those in which programs run.
void ce_prepare(struct ce_editor *editor, bool is_reading);

#endif
