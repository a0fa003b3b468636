"""MoorDyn on the inputs of the validation cases: validation.py CASE OUT.csv [MOTION.tsv] [SEGMENTS STEP]

CASE is lowe_1, lowe_3, lowe_4 (Lowe & Langley 2006, jumper) or orcaflex_chain (with MOTION.tsv: time [s], x, y, z [m] of the
fairlead). Writes time [s], tension in the last segment at the
fairlead, size of the force of the line's end there (with the weight and drag of half a segment), the same two at the anchor [kN], every
0.5 s (the chain: 0.1 s); prints the static values as JSON.
"""

import json
import math
import os
import pathlib
import sys
import tempfile

import moordyn
import numpy as np

import cables

JUMPER = {
    "length": 170.0, "ea": 500e6, "ba": -0.5, "ei": 120.8e3, "mass": 165.0, "diameter": 0.396, "cd": 1.0, "ca": 1.0, "segments": 136,
    "density": 1000.0, "depth": 100.0, "a": "Fixed", "at_a": [-100.0, 0.0, -55.0], "mass_a": 0.0, "at_b": [0.0, 0.0, -5.0], "gravity": 9.807,
}  # fmt: skip
CHAIN = {
    "length": 760.0, "ea": 1.674e9, "ba": -1.0, "ei": 0.0, "mass": 390.0, "diameter": 0.252, "cd": 1.37, "ca": 1.0, "cd_axial": 0.64, "segments": 152,
    "density": 1025.0, "depth": 200.0, "a": "Fixed", "at_a": [700.0, 0.0, -200.0], "mass_a": 0.0, "at_b": [0.0, 0.0, 0.0], "gravity": 9.81,
}  # fmt: skip
SEABED = ("1e5 kBot", "1e4 cBot", "0.5 FrictionCoefficient")


def smoother(s):
    """0 to 1: s³(6s² − 15s + 10)."""
    s = min(max(s, 0.0), 1.0)
    return s**3 * (6.0 * s * s - 15.0 * s + 10.0)


def swing(axis):
    """The jumper's top, moved 10 m with 27 s; ramped in over the period before t = 0."""

    def at(t):
        d = [0.0, 0.0, 0.0]
        d[axis] = smoother((t + 27.0) / 27.0) * 10.0 * math.sin(2.0 * math.pi * t / 27.0)
        return d

    return at


def table(path):
    """Linear between the rows, as MoorDyn's own test moves the fairlead."""
    rows = [[float(w) for w in line.split()[:4]] for line in pathlib.Path(path).read_text().splitlines() if line.strip()]

    def at(t):
        i = min(max(int((t - rows[0][0]) / (rows[1][0] - rows[0][0])), 0), len(rows) - 2)
        f = (t - rows[i][0]) / (rows[i + 1][0] - rows[i][0])
        return [a + f * (b - a) for a, b in zip(rows[i][1:], rows[i + 1][1:])]

    return at, rows[0][0], rows[-1][0]


def wave(t, points):
    """Velocities and accelerations of the water: amplitude 5 m, period 10 s, deep-water wave number, phase 230°."""
    p = np.array(points)
    w = 2.0 * math.pi / 10.0
    k, depth = w * w / 9.81, 100.0
    phase = k * p[:, 0] - w * t + math.radians(230.0)
    ch, sh = (f(k * (p[:, 2] + depth)) / math.cosh(k * depth) for f in (np.cosh, np.sinh))
    u, a, none = 5.0 * w, 5.0 * w * w, np.zeros(len(p))
    velocity = np.stack([u * np.cos(phase) * ch, none, u * np.sin(phase) * sh], axis=1)
    return velocity.tolist(), np.stack([a * np.sin(phase) * ch, none, -a * np.cos(phase) * sh], axis=1).tolist()


def run(c, motion, start, end, step, every, waves=False, options=()):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "lines.txt"
        text = cables.text(c, "RK2", step, options).replace(f"{cables.GRAVITY} g", f"{c['gravity']} g")
        path.write_text(text.replace("0 WaveKin", "1 WaveKin") if waves else text)
        os.chdir(folder)
        system = moordyn.Create(str(path))
        assert moordyn.Init(system, c["at_b"], [0.0] * 3) == 0
        line, n = moordyn.GetLine(system, 1), c["segments"]
        if waves:
            moordyn.ExternalWaveKinInit(system)
        rows, size = [], lambda v: 1e-3 * math.hypot(*v)

        def state(t):
            ends = [size(f(line, node)) for node in (n, 0) for f in (moordyn.GetLineNodeTen, moordyn.GetLineNodeForce)]
            rows.append([t, *ends])

        state(start)
        force = moordyn.GetLineNodeForce(line, n), moordyn.GetLineNodeForce(line, 0)
        static = {"fairlead": rows[0][1:3], "anchor": rows[0][3:5], "fairlead_force": force[0], "anchor_force": force[1]}
        calls = round(every / step)
        dt = every / calls
        for i in range(round((end - start) / every)):
            for j in range(calls):
                now = (i * calls + j) * dt
                a, b = motion(start + now), motion(start + now + dt)
                if waves:
                    middle = now + 0.5 * dt
                    u, du = wave(start + middle, moordyn.ExternalWaveKinGetCoordinates(system))
                    moordyn.ExternalWaveKinSet(system, u, du, middle)
                x = [p + q for p, q in zip(c["at_b"], a)]
                moordyn.Step(system, x, [(q - p) / dt for p, q in zip(a, b)], now, dt)
            state(start + (i + 1) * every)
        moordyn.Close(system)
    return rows, static


if __name__ == "__main__":
    case, out = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    rest = sys.argv[3:]
    if case.startswith("lowe"):
        c, step, every = dict(JUMPER), 2.5e-4, 0.1
        which = case[-1]
        motion = {"1": swing(0), "3": swing(2), "4": lambda t: [0.0] * 3}[which]
        start, end = (-20.0, 30.0) if which == "4" else (-27.0, 80.0)
        options = ("3.0e6 kBot", "3.0e5 cBot")
    else:
        c, step, every, options = dict(CHAIN), 2e-4, 0.1, SEABED
        motion, start, end = table(pathlib.Path(rest.pop(0)).resolve())
    if rest:
        c["segments"], step = int(rest[0]), float(rest[1])
    rows, static = run(c, motion, start, end, step, every, case == "lowe_4", options)
    lines = ["time_s,fairlead_tension_kN,fairlead_force_kN,anchor_tension_kN,anchor_force_kN"]
    keep = 5 if case.startswith("lowe") else 1
    lines += [",".join(f"{x:.6g}" for x in row) for row in rows[::keep]]
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text("\n".join(lines) + "\n")
    print(json.dumps({"moordyn": cables.VERSION, "case": case, "segments": c["segments"], "step": step, "static": static}))
