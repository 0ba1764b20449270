// What compilers find where LibTorch's headers are missing. They stop at a missing file, and go on after an #error.
#include "LibTorch 2.11.0 is missing! Run scripts/setup-torch, or set LIBTORCH to its folder."
