// Linux and glibc calls that Swift's Glibc module does not show, or shows in a form Swift 6 cannot use.
#ifndef CLINUX_H
#define CLINUX_H
#endif
