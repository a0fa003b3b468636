"""Cables in MoorDyn (PyPI), timed in a C loop against the wheel's library: cables.py COMMAND ...

  run CASE SCHEME STEP [END]    one run: processor seconds of the stepping loop, and the samples
  error CASE SCHEME STEP [END]  the same, and the error against itself at a twentieth of the step
  scan CASE [END]               the largest step of each scheme that meets 1 %, with its time
  statics                       time of the initialisation of the soft line, and its error
  cost                          time of a step for 10 to 1000 nodes

CASE is soft20, soft100 or stiff50 (any number of segments; 60 s of stiff50 take minutes, and a scan or an error of it hours); bench/README.md defines them. Prints one line of JSON.
"""

import importlib.metadata
import importlib.util
import json
import math
import pathlib
import resource
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
VERSION = importlib.metadata.version("moordyn")
GRAVITY = 9.81
AIR = 1.225
# Steps that are tried [s]: 1, 1.5, 2, 3, 5, 7 in each decade.
STEPS = sorted((m * 10.0**k for k in range(-7, -1) for m in (1, 1.5, 2, 3, 5, 7)), reverse=True)
SCHEMES = ["RK4", "RK2", "Heun", "Euler", "AB2", "AB3", "AB4", "BEuler5", "Midpoint5", "ACA5", "Wilson5"]


def library():
    """The shared library that the wheel brings."""
    spec = importlib.util.find_spec("moordyn")
    folder = pathlib.Path(spec.origin).parent.parent / "moordyn.libs"
    return next(folder.glob("libmoordyn*.so*"))


def program():
    """The C loop, built when it is missing or old."""
    place = pathlib.Path(tempfile.gettempdir()) / "fender-bench"
    place.mkdir(exist_ok=True)
    source, built = HERE / "drive.c", place / "moordyn-drive"
    if not built.exists() or built.stat().st_mtime < source.stat().st_mtime:
        subprocess.run(["gcc", "-O2", "-Wall", "-o", built, source, "-ldl", "-lm"], check=True)
    return built


def split(case):
    name = case.rstrip("0123456789")
    return name, int(case[len(name) :])


def description(case):
    """What a case is, in numbers; the moved end is B."""
    name, segments = split(case)
    if name == "soft":
        length, ea, mass = 100.0, 1e7, 20.0
        return {
            "motion": "soft", "length": length, "ea": ea, "mass": mass, "diameter": 0.05, "ei": 0.0, "segments": segments,
            # 5 % of critical in the highest axial mode of the chain of nodes, ω = (2/l)·√(EA/m): BA = ζ·l·√(EA·m).
            "ba": 0.05 * length / segments * math.sqrt(ea * mass),
            "cd": 1.2, "ca": 1.0, "density": 1025.0, "depth": 200.0,
            "a": "Fixed", "at_a": [0.0, 0.0, -50.0], "mass_a": 0.0, "at_b": [80.0, 0.0, -50.0],
            # Motion at full size from here on.
            "from": 20.0, "statics": True,
        }  # fmt: skip
    length, ea, mass, weight = 20.0, 5e6, 0.4, 500.0
    stiffness = ea / length
    # 2 % of critical for the weight, with a third of the rope, on the whole rope.
    damping = 2.0 * 0.02 * math.sqrt(stiffness * (weight + mass * length / 3.0))
    stretch = (weight + 0.5 * mass * length) * GRAVITY / stiffness
    return {
        "motion": "stiff", "length": length, "ea": ea, "mass": mass, "diameter": 0.01, "ei": 1.0, "segments": segments,
        "ba": damping * length, "cd": 1.2, "ca": 0.0,
        # MoorDyn has drag below the surface only: its water is air here.
        "density": AIR, "depth": 200.0,
        "a": "Free", "at_a": [0.0, 0.0, -50.0 - length - stretch], "mass_a": weight, "at_b": [0.0, 0.0, -50.0],
        # It starts with the mean strain throughout: MoorDyn's search for the equilibrium takes at least a second of tiny steps,
        # and what it would mend is 0.8 % of the tension, which dies out in the ramp.
        "from": 2.0 / 0.15, "statics": False,
    }  # fmt: skip


def text(c, scheme, step, options=()):
    """MoorDyn's input."""
    lines = [
        "--- MoorDyn input ---", "---- LINE TYPES ----", "Name Diam Mass/m EA BA EI Cd Ca CdAx CaAx", "(-) (m) (kg/m) (N) (N-s) (N-m^2) (-) (-) (-) (-)",
        f"line {c['diameter']!r} {c['mass']!r} {c['ea']!r} {c['ba']!r} {c['ei']!r} {c['cd']!r} {c['ca']!r} {c.get('cd_axial', 0.0)!r} 0.0",
        "---- POINTS ----", "ID Type X Y Z Mass Volume CdA Ca", "(#) (-) (m) (m) (m) (kg) (m^3) (m^2) (-)",
        f"1 {c['a']} {' '.join(map(repr, c['at_a']))} {c['mass_a']!r} 0 0 0", f"2 Coupled {' '.join(map(repr, c['at_b']))} 0 0 0 0",
        "---- LINES ----", "ID LineType AttachA AttachB UnstrLen NumSegs Outputs", "(#) (-) (#) (#) (m) (-) (-)",
        f"1 line 1 2 {c['length']!r} {c['segments']} -", "---- OPTIONS ----", "0 writeLog", "1 disableOutput", "1 disableOutTime",
        # A little more than the step of a call, so that rounding leaves no remainder that would be a step of its own.
        f"{step * (1.0 + 1e-9)!r} dtM", f"{scheme} tScheme", f"{GRAVITY} g", f"{c['density']} WtrDnsty", f"{c['depth']} WtrDpth", "0 WaveKin", *options, "---- END ----",
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def drive(case, scheme, step, end, statics=None, options=(), substeps=1, motion=None, limit=None):
    """One run; its numbers and the rows of samples, None where MoorDyn failed or took more than `limit` processor seconds."""
    c = case if isinstance(case, dict) else description(case)
    with tempfile.TemporaryDirectory() as folder:
        file, samples = pathlib.Path(folder) / "lines.txt", pathlib.Path(folder) / "samples.csv"
        file.write_text(text(c, scheme, step, options))
        command = [program(), library(), file, motion or c["motion"], end, step * substeps, substeps, int(c["statics"] if statics is None else statics), samples, *c["at_b"]]
        most = None if limit is None else lambda: resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(limit),) * 2)
        done = subprocess.run([str(a) for a in command], capture_output=True, text=True, cwd=folder, preexec_fn=most)
        found = [line for line in done.stdout.splitlines() if line.startswith("{")]
        if done.returncode or not found:
            return None
        result = json.loads(found[-1])
        result["rows"] = [[float(w) for w in row.split(",")] for row in samples.read_text().splitlines()]
    return result if result["fine"] else None


def error(rows, reference, start):
    """RMS of the difference of the fairlead tension after `start` [s], of its range."""
    pairs = [(a[1], b[1]) for a, b in zip(rows, reference) if b[0] >= start]
    tensions = [b for _, b in pairs]
    rms = math.sqrt(sum((a - b) ** 2 for a, b in pairs) / len(pairs))
    return rms / (max(tensions) - min(tensions))


def summary(rows, start):
    """Of the fairlead tension [N], and every other row for comparison with other codes."""
    tensions = [row[1] for row in rows if row[0] >= min(start, rows[-1][0])]
    return {"min": min(tensions), "max": max(tensions), "time": [row[0] for row in rows[::2]], "fairlead": [row[1] for row in rows[::2]],
            "end_a": [row[2] for row in rows[::2]]}  # fmt: skip


def run(case, scheme, step, end, twentieth):
    c = description(case)
    result = drive(case, scheme, step, end)
    if result is None:
        return {"fine": False}
    rows = result.pop("rows")
    if twentieth:
        fine = drive(case, scheme, step / 20.0, end)
        result["error"] = None if fine is None else error(rows, fine["rows"], c["from"])
        rows = rows if fine is None else fine["rows"]
    return {"moordyn": VERSION, "case": case, "scheme": scheme, "ba": c["ba"], **result, **summary(rows, c["from"])}


def scan(case, end):
    """For each scheme the largest step that meets 1 %, against RK4 at a step far below; then the fastest against itself."""
    c = description(case)
    # A first guess at the largest stable step of an explicit scheme, by oscillation and by damping.
    omega = 2.0 * c["segments"] / c["length"] * math.sqrt(c["ea"] / c["mass"])
    stable = min(2.8 / omega, 2.8 * c["ea"] / (c["ba"] * omega * omega))
    reference = drive(case, "RK4", stable / 5.0, end)["rows"]
    found = []
    for scheme in SCHEMES:
        # A scheme that takes three times as long as the best so far is not looked at further.
        limit = 3.0 * min((f["seconds"] for f in found), default=math.inf) + 1.0
        for step in (s for s in STEPS if stable / 100.0 < s < 5.0 * stable):
            result = drive(case, scheme, step, end, limit=None if math.isinf(limit) else limit)
            if result is None:
                continue
            apart = error(result["rows"], reference, c["from"])
            if apart <= 0.01:
                found.append({"scheme": scheme, "step": step, "seconds": result["seconds"], "error": apart})
                print(json.dumps(found[-1]), file=sys.stderr, flush=True)
                break
    best = min(found, key=lambda f: f["seconds"])
    return {"moordyn": VERSION, "case": case, "end": end, "found": found, "best": best}


def statics():
    """Initialisation of the soft line with 100 segments: each of MoorDyn's ways, with tensions beside the closed form."""
    out = []
    for name, options in [("stationary (default)", ()), ("dynamic", ("1 ICgenDynamic",))]:
        for scheme, step in (("RK4", 1.5e-3), ("RK2", 4e-4)):
            results = [drive("soft100", scheme, step, 0.0, options=options) for _ in range(3)]
            row = results[0]["rows"][0]
            out.append({"way": name, "scheme": scheme, "step": step, "seconds": min(r["init_seconds"] for r in results), "fairlead": row[1], "lowest": results[0]["lowest"]})
    return {"moordyn": VERSION, "statics": out}


def cost():
    out = []
    for segments in (10, 30, 100, 300, 1000):
        step = 0.03 / segments
        for scheme in ("RK2", "RK4"):
            results = [drive(f"soft{segments}", scheme, step, max(0.1, 10.0 / segments), statics=False) for _ in range(3)]
            out.append({"segments": segments, "scheme": scheme, "microseconds": 1e6 * min(r["seconds"] / r["steps"] for r in results)})
    return {"moordyn": VERSION, "cost": out}


if __name__ == "__main__":
    command, arguments = sys.argv[1], sys.argv[2:]
    if command in ("run", "error"):
        end = float(arguments[3]) if len(arguments) > 3 else 60.0
        answer = run(arguments[0], arguments[1], float(arguments[2]), end, command == "error")
    elif command == "scan":
        answer = scan(arguments[0], float(arguments[1]) if len(arguments) > 1 else 60.0)
    else:
        answer = {"statics": statics, "cost": cost}[command]()
    print(json.dumps(answer))
