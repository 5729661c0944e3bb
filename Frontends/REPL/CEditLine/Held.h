// Declarations that the two halves of the shim share.
#ifndef HELD_H
#define HELD_H

#include <stdbool.h>

struct ce_editor;

/// Makes libedit set the terminal modes for reading lines, or those for running programs.
void ce_prepare(struct ce_editor *editor, bool is_reading);

#endif
