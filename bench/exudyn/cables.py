"""Cables of bench/README.md in Exudyn, as ANCF cables with implicit methods: cables.py COMMAND ...

  run CASE STEP [METHOD]    one run: processor seconds, and the samples
  error CASE STEP [METHOD]  the same, and the error against itself at a twentieth of the step
  scan CASE                 the largest step that meets the error, with its time, for each method
  cost                      time of a step for 10 to 1000 elements (the rod)

CASE is rod (the hanging rod; the error is the tip's, allowed 1e-3 of the length), rod3 (the same with elements in space) or stiff (the wire rope without
its drag, which Exudyn does not have; RMS of the tension at the top, allowed 1 % of its range). METHOD is
trapezoidal (default) or the spectral radius of generalized-α. Prints one line of JSON.
"""

import json
import math
import sys
import time

sys.exudynFast = True  # the build without range checks
import exudyn as exu
import numpy as np
from exudyn.beams import GenerateBeamElementsAlongLine
from exudyn.itemInterface import *  # noqa: F403

GRAVITY = 9.81
SHORT = [0.05, 0.025] + [m * 10.0**k for k in (-3, -4) for m in (10, 7, 5, 3, 2, 1.5)]
STEPS = {"rod": SHORT, "rod3": SHORT, "stiff": [0.5, 0.25, 0.2, 0.1, *SHORT]}


def ramp(t, over):
    s = min(t / over, 1.0)
    return s * s * (3.0 - 2.0 * s)


def rod(elements=50, space=False):
    """1 m, radius 5 mm, 1000 kg/m³, 10 MPa, pinned, straight and level at the start."""
    radius, density, young = 0.005, 1000.0, 1e7
    area = math.pi * radius**2
    system = exu.SystemContainer()
    mbs = system.AddSystem()
    kind = ObjectANCFCable if space else ObjectANCFCable2D
    cable = kind(massPerLength=density * area, bendingStiffness=young * math.pi / 4 * radius**4, axialStiffness=young * area)
    held = [1, 1, 1, 0, 0, 0] if space else [1, 1, 0, 0]
    made = GenerateBeamElementsAlongLine(mbs, [0, 0, 0], [1, 0, 0], elements, cable, gravity=[0, -GRAVITY, 0], groundConstraintsStart=held)
    tip = mbs.AddSensor(SensorNode(nodeNumber=made["nodes"][-1], storeInternal=True, outputVariableType=exu.OutputVariableType.Position))
    mbs.Assemble()

    def samples():
        return [[row[1], row[2]] for row in mbs.GetSensorStoredData(tip)[1:]]

    return {"container": system, "mbs": mbs, "end": 1.0, "every": 0.05, "samples": samples, "allowed": 1e-3}


def rod_error(rows, reference):
    return max(math.dist(a, b) for a, b in zip(rows, reference))


def stiff(elements=50):
    """20 m of wire rope with 500 kg, its top moved; at rest first."""
    length, ea, mass, weight = 20.0, 5e6, 0.4, 500.0
    damping = 2.0 * 0.02 * math.sqrt(ea / length * (weight + mass * length / 3.0)) * length
    system = exu.SystemContainer()
    mbs = system.AddSystem()
    cable = ObjectANCFCable2D(massPerLength=mass, bendingStiffness=1.0, axialStiffness=ea, axialDamping=damping)
    made = GenerateBeamElementsAlongLine(mbs, [0, 0, 0], [0, -length, 0], elements, cable, gravity=[0, -GRAVITY, 0])
    first, last = made["nodes"][0], made["nodes"][-1]
    mbs.AddObject(ObjectGenericODE2(nodeNumbers=[last], massMatrix=np.diag([weight, weight, 0, 0]), forceVector=[0, -weight * GRAVITY, 0, 0]))
    ground = mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=mbs.AddNode(NodePointGround()), coordinate=0))
    over = 2.0 / 0.15
    # The static solver has a time of its own.
    moving = {"factor": 0.0}

    def motion(size, frequency):
        """Offset and its rate: constraints are solved at velocity level."""
        w = 2.0 * math.pi * frequency

        def offset(mbs, t, number, constant):
            return moving["factor"] * ramp(t, over) * size * math.sin(w * t)

        def rate(mbs, t, number, constant):
            s = min(t / over, 1.0)
            return size * (ramp(t, over) * w * math.cos(w * t) + 6.0 * s * (1.0 - s) / over * math.sin(w * t))

        return offset, rate

    sensors = []
    for coordinate, (offset, rate) in ((0, motion(0.5, 0.15)), (1, motion(0.2, 0.25))):
        moved = mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=first, coordinate=coordinate))
        hold = mbs.AddObject(ObjectConnectorCoordinate(markerNumbers=[ground, moved], offsetUserFunction=offset, offsetUserFunction_t=rate))
        sensors.append(mbs.AddSensor(SensorObject(objectNumber=hold, storeInternal=True, outputVariableType=exu.OutputVariableType.Force)))
    mbs.Assemble()
    settings = exu.SimulationSettings()
    settings.solutionSettings.writeSolutionToFile = False
    settings.staticSolver.verboseMode = 0
    settings.staticSolver.numberOfLoadSteps = 10
    mbs.SolveStatic(settings, updateInitialValues=True)
    moving["factor"] = 1.0

    def samples():
        stored = [mbs.GetSensorStoredData(s) for s in sensors]
        return [[a[0], math.hypot(a[1], b[1])] for a, b in zip(*stored)]

    return {"container": system, "mbs": mbs, "top": first, "end": 60.0, "every": 0.05, "samples": samples, "allowed": 1e-2}


def stiff_error(rows, reference):
    fine = {round(1000 * t): f for t, f in reference}
    pairs = [(f, fine[round(1000 * t)]) for t, f in rows if t >= 2.0 / 0.15]
    rms = math.sqrt(sum((a - b) ** 2 for a, b in pairs) / len(pairs))
    return rms / (max(b for _, b in pairs) - min(b for _, b in pairs))


CASES = {"rod": (rod, rod_error), "rod3": (lambda: rod(space=True), rod_error), "stiff": (stiff, stiff_error)}


def drive(case, step, method, end=None):
    """Processor seconds, samples and steps; no samples where it does not converge."""
    scene = case if isinstance(case, dict) else CASES[case][0]()
    mbs, end = scene["mbs"], end or scene["end"]
    # Whole steps between two samples; a longer step is a sample itself.
    every = max(scene["every"], step)
    steps = round(end / every) * math.ceil(every / step - 1e-9)
    settings = exu.SimulationSettings()
    t = settings.timeIntegration
    t.numberOfSteps, t.endTime, t.verboseMode = steps, end, 0
    t.newton.useModifiedNewton = True
    # Exudyn's trapezoidal rule holds constraints at velocity level, generalized-α at position level.
    trapezoidal = method == "trapezoidal"
    t.generalizedAlpha.useIndex2Constraints = t.generalizedAlpha.useNewmark = trapezoidal
    if not trapezoidal:
        t.generalizedAlpha.spectralRadius = float(method)
    t.adaptiveStep = False
    settings.linearSolverType = exu.LinearSolverType.EigenSparse
    settings.solutionSettings.writeSolutionToFile = False
    settings.solutionSettings.sensorsWritePeriod = every
    settings.parallel.numberOfThreads = 1
    start = time.process_time()
    try:
        fine = mbs.SolveDynamic(settings, solverType=exu.DynamicSolverType.GeneralizedAlpha, showHints=False)
    except Exception:
        fine = False
    seconds = time.process_time() - start
    return seconds, scene["samples"]() if fine else None, steps


def run(case, step, method, twentieth):
    runs = [drive(case, step, method) for _ in range(3)]
    seconds, (_, rows, steps) = min(r[0] for r in runs), runs[0]
    out = {"exudyn": exu.__version__, "case": case, "step": step, "method": method, "steps": steps, "fine": rows is not None, "seconds": seconds}
    if twentieth and rows is not None:
        _, reference, _ = drive(case, step / 20.0, method)
        out["error"] = CASES[case][1](rows, reference)
        rows = reference
    out["samples"] = rows[::2] if case == "stiff" and rows else rows
    return out


def scan(case):
    allowed = CASES[case][0]()["allowed"]
    found = []
    for method in ("trapezoidal", "0.9", "0.7"):
        fine = 5e-5 if case != "stiff" else 2.5e-3
        _, reference, _ = drive(case, fine, method)
        if reference is None:
            continue
        for step in STEPS[case]:
            seconds, rows, _ = drive(case, step, method)
            if rows is not None and CASES[case][1](rows, reference) <= allowed:
                found.append({"method": method, "step": step, "seconds": seconds, "error": CASES[case][1](rows, reference)})
                print(json.dumps(found[-1]), file=sys.stderr, flush=True)
                break
    return {"exudyn": exu.__version__, "case": case, "found": found, "best": min(found, key=lambda f: f["seconds"]) if found else None}


def cost():
    out = []
    for elements in (10, 30, 100, 300, 1000):
        step = 1e-3
        seconds, _, steps = drive(rod(elements), step, "trapezoidal", 0.1)
        out.append({"elements": elements, "microseconds": 1e6 * seconds / steps})
    return {"exudyn": exu.__version__, "cost": out}


if __name__ == "__main__":
    exu.SetWriteToConsole(False) if hasattr(exu, "SetWriteToConsole") else None
    command, arguments = sys.argv[1], sys.argv[2:]
    if command in ("run", "error"):
        answer = run(arguments[0], float(arguments[1]), arguments[2] if len(arguments) > 2 else "trapezoidal", command == "error")
    else:
        answer = {"scan": scan, "cost": cost}[command](*arguments)
    print(json.dumps(answer))
