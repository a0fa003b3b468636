// Runs MoorDyn with a moved end, without Python in the loop:
//   drive LIBRARY INPUT CASE END STEP SUBSTEPS STATICS SAMPLES.csv
//
// LIBRARY is the shared library of the wheel (it brings no headers: the calls are declared here), CASE "soft", "stiff" or
// "still", STEP the time of one call [s] with SUBSTEPS steps of MoorDyn in it, STATICS 1 to let MoorDyn look for the equilibrium
// and 0 to start from the shape that it draws. Prints one line of JSON; writes time [s], tension at the fairlead
// (end B), tension at end A [N], and the position of end A [m], every 0.05 s.
//
// Between two calls MoorDyn moves the end with a constant velocity. The velocity passed is the secant, so that the position stays
// continuous and is exact at the end of each call.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double EVERY = 0.05;
static const double PI = 3.14159265358979323846;

static void * (*create)(const char *);
static int (*init)(void *, const double *, const double *);
static int (*step)(void *, const double *, const double *, double *, double *, double *);
static int (*close_system)(void *);
static void * (*line_of)(void *, unsigned);
static int (*node_tension)(void *, unsigned, double *);
static int (*node_position)(void *, unsigned, double *);
static int (*segments_of)(void *, unsigned *);

static void * symbol(void * library, const char * name)
{
  void * found = dlsym(library, name);
  if (!found) {
    fprintf(stderr, "the library has no %s\n", name);
    exit(2);
  }
  return found;
}

static double seconds(clockid_t clock)
{
  struct timespec now;
  clock_gettime(clock, &now);
  return now.tv_sec + 1e-9 * now.tv_nsec;
}

// 0 to 1, smooth: s²(3 − 2s).
static double ramp(double t, double over)
{
  const double s = t < over ? t / over : 1.0;
  return s * s * (3.0 - 2.0 * s);
}

// Where the moved end is, from where it was at first [m].
static void moved(const char * name, double t, double * d)
{
  d[0] = d[1] = d[2] = 0.0;
  if (!strcmp(name, "soft")) {
    const double r = 5.0 * ramp(t, 20.0), a = 2.0 * PI * 0.1 * t;
    d[0] = r * cos(a);
    d[2] = r * sin(a);
  } else if (!strcmp(name, "stiff")) {
    const double r = ramp(t, 2.0 / 0.15);
    d[0] = r * 0.5 * sin(2.0 * PI * 0.15 * t);
    d[2] = r * 0.2 * sin(2.0 * PI * 0.25 * t);
  }
}

static double norm(const double * v) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

int main(int argc, char ** argv)
{
  if (argc != 12) {
    fprintf(stderr, "drive LIBRARY INPUT CASE END STEP SUBSTEPS STATICS SAMPLES.csv X Y Z (of the moved end)\n");
    return 2;
  }
  void * library = dlopen(argv[1], RTLD_NOW);
  if (!library) {
    fprintf(stderr, "%s\n", dlerror());
    return 2;
  }
  *(void **)&create = symbol(library, "MoorDyn_Create");
  *(void **)&init = symbol(library, atoi(argv[7]) ? "MoorDyn_Init" : "MoorDyn_Init_NoIC");
  *(void **)&step = symbol(library, "MoorDyn_Step");
  *(void **)&close_system = symbol(library, "MoorDyn_Close");
  *(void **)&line_of = symbol(library, "MoorDyn_GetLine");
  *(void **)&node_tension = symbol(library, "MoorDyn_GetLineNodeTen");
  *(void **)&node_position = symbol(library, "MoorDyn_GetLineNodePos");
  *(void **)&segments_of = symbol(library, "MoorDyn_GetLineN");

  const char * name = argv[3];
  const double end = atof(argv[4]), h = atof(argv[5]);
  const double start[3] = {atof(argv[9]), atof(argv[10]), atof(argv[11])};
  double x[3] = {start[0], start[1], start[2]}, v[3] = {0.0, 0.0, 0.0}, f[3];
  // Whole calls between two samples.
  const long calls = lround(ceil(EVERY / h - 1e-9));
  const double dt = EVERY / calls;

  void * system = create(argv[2]);
  if (!system)
    return 1;
  double cpu = seconds(CLOCK_PROCESS_CPUTIME_ID), wall = seconds(CLOCK_MONOTONIC);
  if (init(system, x, v))
    return 1;
  const double init_cpu = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu, init_wall = seconds(CLOCK_MONOTONIC) - wall;
  void * line = line_of(system, 1);
  unsigned n;
  segments_of(line, &n);
  FILE * out = fopen(argv[8], "w");
  if (!out)
    return 2;
  double t = 0.0, fairlead[3], anchor[3], a[3], low = INFINITY;
  const long samples = lround(end / EVERY);
  cpu = wall = 0.0;
  int fine = 1;
  for (long i = 0; i <= samples && fine; ++i) {
    if (i > 0) {
      const double cpu0 = seconds(CLOCK_PROCESS_CPUTIME_ID), wall0 = seconds(CLOCK_MONOTONIC);
      for (long j = 0; j < calls && fine; ++j) {
        const double begin = ((i - 1) * calls + j) * dt;
        double from[3], to[3], length = dt;
        moved(name, begin, from);
        moved(name, begin + dt, to);
        for (int k = 0; k < 3; ++k) {
          x[k] = start[k] + from[k];
          v[k] = (to[k] - from[k]) / dt;
        }
        t = begin;
        fine = !step(system, x, v, f, &t, &length);
      }
      cpu += seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu0;
      wall += seconds(CLOCK_MONOTONIC) - wall0;
    }
    node_tension(line, n, fairlead);
    node_tension(line, 0, anchor);
    node_position(line, 0, a);
    for (unsigned k = 0; k <= n; ++k) {
      double p[3];
      node_position(line, k, p);
      low = p[2] < low ? p[2] : low;
    }
    fine = fine && isfinite(norm(fairlead)) && norm(fairlead) < 1e8;
    fprintf(out, "%.3f,%.9g,%.9g,%.9g,%.9g,%.9g\n", i * EVERY, norm(fairlead), norm(anchor), a[0], a[1], a[2]);
  }
  fclose(out);
  printf("{\"fine\": %s, \"seconds\": %.6f, \"wall_seconds\": %.6f, \"init_seconds\": %.6f, \"init_wall_seconds\": %.6f, "
         "\"step\": %.9g, \"steps\": %ld, \"lowest\": %.6f}\n",
         fine ? "true" : "false", cpu, wall, init_cpu, init_wall, dt / atoi(argv[6]), samples * calls * atoi(argv[6]), low);
  fflush(stdout);
  // Closing a system that failed may not return.
  if (fine)
    close_system(system);
  return 0;
}
