// A library whose symbol of a plugin is something else.

extern "C" const int reconverge_plugin;
const int reconverge_plugin = 7;
