"""The hanging rod of bench/README.md in PyElastica: cables.py COMMAND ...

  run SCHEME STEP    one run of 1 s: processor seconds, and where the tip is
  error SCHEME STEP  the same, and the error against itself at a twentieth of the step
  scan               the largest step that meets 1e-3 of the length, with its time
  cost               time of a step for 10 to 1000 elements

SCHEME is PositionVerlet; PEFRL of 1.0.0 lets the rod fall 2.5 times as fast and is not looked at. Prints one line of JSON. Numba compiles before the clock runs; the loop is Python's, as PyElastica
has no other.
"""

import importlib.metadata
import json
import logging
import math
import sys
import time

import elastica as ea
import numpy as np

logging.disable(logging.CRITICAL)
VERSION = importlib.metadata.version("pyelastica")
LENGTH, RADIUS, DENSITY, YOUNG, GRAVITY = 1.0, 0.005, 1000.0, 1e7, 9.81
SHEAR = YOUNG / 3.0
END, EVERY = 1.0, 0.05


class Scene(ea.BaseSystemCollection, ea.Constraints, ea.Forcing):
    pass


def build(elements):
    scene = Scene()
    rod = ea.CosseratRod.straight_rod(
        elements, np.zeros(3), np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0]), LENGTH, RADIUS, DENSITY,
        youngs_modulus=YOUNG, shear_modulus=SHEAR,
    )  # fmt: skip
    scene.append(rod)
    scene.constrain(rod).using(ea.FixedConstraint, constrained_position_idx=(0,))
    scene.add_forcing_to(rod).using(ea.GravityForces, acc_gravity=np.array([0.0, 0.0, -GRAVITY]))
    scene.finalize()
    return scene, rod


def drive(scheme, step, end=END, elements=50):
    """Processor seconds, the tip's x and z at each sample, and the number of steps; no samples if it diverges."""
    stepper = getattr(ea, scheme)()
    warm, _ = build(elements)
    stepper.step(warm, np.float64(0.0), np.float64(1e-9))
    scene, rod = build(elements)
    count = math.ceil(EVERY / step - 1e-9)
    dt, now = np.float64(EVERY / count), np.float64(0.0)
    tip, seconds = [], 0.0
    for _ in range(round(end / EVERY)):
        start = time.process_time()
        for _ in range(count):
            now = stepper.step(scene, now, dt)
        seconds += time.process_time() - start
        at = rod.position_collection[:, -1]
        if not np.all(np.isfinite(at)) or np.abs(at).max() > 10.0 * LENGTH:
            return seconds, None, 0
        tip.append([float(at[0]), float(at[2])])
    return seconds, tip, count * round(end / EVERY)


def apart(tip, reference):
    """Largest distance of the tips at the samples, of the length."""
    return max(math.dist(a, b) for a, b in zip(tip, reference)) / LENGTH


def run(scheme, step, twentieth):
    seconds, tip, steps = drive(scheme, step)
    out = {"pyelastica": VERSION, "scheme": scheme, "step": step, "steps": steps, "fine": tip is not None, "seconds": seconds,
           "seconds_per_second": seconds / END, "every": EVERY, "tip": tip}  # fmt: skip
    if twentieth and tip is not None:
        _, reference, _ = drive(scheme, step / 20.0)
        out["error"], out["tip"] = apart(tip, reference), reference
    return out


def scan():
    _, reference, _ = drive("PositionVerlet", 1e-5)
    found = []
    for step in (3e-4, 2e-4, 1.5e-4, 1e-4, 9e-5, 8e-5, 7e-5, 6e-5, 5e-5, 4e-5, 3e-5, 2e-5):
        seconds, tip, _ = drive("PositionVerlet", step)
        if tip is not None and apart(tip, reference) <= 1e-3:
            found.append({"scheme": "PositionVerlet", "step": step, "seconds": seconds, "error": apart(tip, reference)})
            break
    return {"pyelastica": VERSION, "found": found, "best": min(found, key=lambda f: f["seconds"])}


def cost():
    out = []
    for elements in (10, 30, 100, 300, 1000):
        step = 1e-3 / elements
        seconds, _, steps = drive("PositionVerlet", min(step, 2e-5), EVERY, elements)
        out.append({"elements": elements, "microseconds": 1e6 * seconds / steps if steps else None})
    return {"pyelastica": VERSION, "cost": out}


if __name__ == "__main__":
    command, arguments = sys.argv[1], sys.argv[2:]
    if command in ("run", "error"):
        answer = run(arguments[0], float(arguments[1]), command == "error")
    else:
        answer = {"scan": scan, "cost": cost}[command]()
    print(json.dumps(answer))
