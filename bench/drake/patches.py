"""Contact patches and a bin of boxes in Drake's hydroelastic contact: patches.py FILE

FILE is what `patches.rs` writes, {"pairs": [...]} or {"bin": {...}}. Prints one line of JSON per pair and setting, or one for the
bin. Times are processor seconds of the calling thread, best of many windows; those of a pair are without those of the same two
bodies far apart, which are what Python, the plant and the broad phase take.
"""

import gc
import json
import math
import sys
import time

import numpy as np
import pydrake
from pydrake.common.eigen_geometry import Quaternion
from pydrake.geometry import (
    AddCompliantHydroelasticProperties,
    AddContactMaterial,
    AddRigidHydroelasticProperties,
    Box,
    Convex,
    Cylinder,
    HydroelasticContactRepresentation,
    ProximityProperties,
    Sphere,
)
from pydrake.math import RigidTransform, RotationMatrix
from pydrake.multibody.plant import (
    AddMultibodyPlantSceneGraph,
    ContactModel,
    CoulombFriction,
    DiscreteContactApproximation,
    MultibodyPlant,
)
from pydrake.multibody.tree import SpatialInertia, UnitInertia
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder

# Edge of the coarsest mesh that is tried, ratio of the next one (a ball has only halves), finest one [m].
COARSEST, RATIO, FINEST = 0.08, 2**-0.25, 6e-4
# Allowed error of the force, and change upon halving below which it counts as refined.
ALLOWED, REFINED = 0.01, 0.002
REPRESENTATIONS = {
    "triangles": HydroelasticContactRepresentation.kTriangle,
    "polygons": HydroelasticContactRepresentation.kPolygon,
}


def shape(spec):
    """A shape, and the depth at which the pressure is the modulus [m]: that of its medial axis or centre."""
    kind, value = next(iter(spec.items()))
    if kind == "box":
        return Box(*(2 * h for h in value)), min(value)
    if kind == "cylinder":
        radius, half = value
        return Cylinder(radius, 2 * half), min(radius, half)
    if kind == "sphere":
        return Sphere(value), value
    points = np.array(value)
    return Convex(points=points.T, label="stone"), spec_inradius(points)


def spec_inradius(points):
    """Least distance from the middle to a face of the hull."""
    from itertools import combinations

    middle, least = points.mean(axis=0), math.inf
    for a, b, c in combinations(range(len(points)), 3):
        n = np.cross(points[b] - points[a], points[c] - points[a])
        n /= np.linalg.norm(n)
        d = (points - points[a]) @ n
        if d.max() < 1e-9 or d.min() > -1e-9:
            least = min(least, abs((middle - points[a]) @ n))
    return least


def is_round(spec):
    return "cylinder" in spec or "sphere" in spec


def pose(value):
    """From [x, y, z, qw, qx, qy, qz]."""
    q = np.array(value[3:])
    return RigidTransform(Quaternion(q / np.linalg.norm(q)), value[:3])


def properties(spec, stiffness, hint):
    """Of a soft body of the given stiffness per volume [N/m³], of a rigid one without."""
    made = ProximityProperties()
    AddContactMaterial(dissipation=0.0, friction=CoulombFriction(0.0, 0.0), properties=made)
    if stiffness is None:
        AddRigidHydroelasticProperties(hint, made)
    else:
        AddCompliantHydroelasticProperties(hint, stiffness * shape(spec)[1], made)
    return made


class Pair:
    """Two bodies, the second one fixed, in a plant without a step of its own."""

    def __init__(self, scene, kind, representation, hint):
        builder = DiagramBuilder()
        self.plant, _ = AddMultibodyPlantSceneGraph(builder, MultibodyPlant(time_step=0.0))
        plant = self.plant
        plant.set_contact_model(ContactModel.kHydroelastic)
        plant.set_contact_surface_representation(REPRESENTATIONS[representation])
        plant.mutable_gravity_field().set_gravity_vector([0, 0, 0])
        self.body = plant.AddRigidBody("a", SpatialInertia(1.0, [0, 0, 0], UnitInertia(0.01, 0.01, 0.01)))
        k = scene["stiffness"]
        first, second = (None, k) if kind == "rigid" else (2 * k, 2 * k)
        plant.RegisterCollisionGeometry(
            self.body, RigidTransform(), shape(scene["a"])[0], "a", properties(scene["a"], first, hint)
        )
        plant.RegisterCollisionGeometry(
            plant.world_body(),
            pose(scene["pose_b"]),
            shape(scene["b"])[0],
            "b",
            properties(scene["b"], second, hint),
        )
        plant.Finalize()
        self.diagram = builder.Build()
        self.root = self.diagram.CreateDefaultContext()
        self.context = plant.GetMyMutableContextFromRoot(self.root)
        self.representation = REPRESENTATIONS[representation]
        self.query = plant.get_geometry_query_input_port()
        self.results = plant.get_contact_results_output_port()
        self.place(scene["pose_a"])

    def place(self, value):
        self.plant.SetFreeBodyPose(self.context, self.body, pose(value))
        self.q = self.plant.GetPositions(self.context).copy()

    def faces(self):
        surfaces = self.query.Eval(self.context).ComputeContactSurfaces(self.representation)
        return sum(s.num_faces() for s in surfaces)

    def force(self):
        """On the first body."""
        results = self.results.Eval(self.context)
        total = np.zeros(3)
        for i in range(results.num_hydroelastic_contacts()):
            info = results.hydroelastic_contact_info(i)
            inspector = self.query.Eval(self.context).inspector()
            sign = 1 if inspector.GetFrameId(info.contact_surface().id_M()) == self.plant.GetBodyFrameIdOrThrow(
                self.body.index()
            ) else -1
            total += sign * info.F_Ac_W().translational()
        return total

    def surface_time(self):
        def call():
            self.query.Eval(self.context).ComputeContactSurfaces(self.representation)

        return self.time(call)

    def results_time(self):
        def call():
            self.results.Eval(self.context)

        return self.time(call)

    def time(self, call):
        """Seconds per call, with another pose each time."""
        plant, context, q = self.plant, self.context, self.q.copy()

        def window(count):
            start = time.thread_time()
            for _ in range(count):
                q[4] += 1e-9
                plant.SetPositions(context, q)
                call()
            return (time.thread_time() - start) / count

        once = window(3)
        count = max(3, min(100, int(2e-3 / once)))
        best, until = once, time.perf_counter() + max(0.4, min(3.0, 100 * count * once))
        while time.perf_counter() < until:
            best = min(best, window(count))
        return best


def turned(scene, number):
    """The pose of the first body, turned about itself in ways that change nothing if it is round."""
    value = scene["pose_a"]
    at = pose(value)
    if "cylinder" in scene["a"]:
        turn = RotationMatrix.MakeZRotation(0.1 + 0.37 * number)
    elif "sphere" in scene["a"]:
        turn = RotationMatrix.MakeXRotation(0.3 + 0.71 * number) @ RotationMatrix.MakeZRotation(0.2 + 0.53 * number)
    else:
        return value
    q = (at.rotation() @ turn).ToQuaternion().wxyz()
    return [*value[:3], *q]


def forces(scene, kind, hint):
    """The force in some orientations. Both representations are of one surface."""
    pair = Pair(scene, kind, "triangles", hint)
    found = []
    for number in range(5):
        pair.place(turned(scene, number))
        found.append(pair.force())
    # Plants refer to themselves, and their meshes are large.
    del pair
    gc.collect()
    return np.array(found)


def change(found, reference):
    return (np.linalg.norm(found - reference, axis=1) / np.linalg.norm(reference, axis=1)).max()


def refine(scene, kind):
    """Refined forces: the edge is halved until they change by less than REFINED, then extrapolated with its square."""
    hint = 0.02
    last = forces(scene, kind, hint)
    while True:
        hint /= 2
        found = forces(scene, kind, hint)
        if change(last, found) < REFINED or hint < 2 * FINEST:
            return found + (found - last) / 3, hint
        last = found


def measure(scene, kind):
    refined, finest, hint, error = None, None, COARSEST, 0.0
    if is_round(scene["a"]):
        refined, finest = refine(scene, kind)
        # The coarsest from which on no finer one down to half of it is worse than allowed: no lucky hits.
        hints, errors = [], []
        h = COARSEST
        while h >= finest:
            hints.append(h)
            errors.append(change(forces(scene, kind, h), refined))
            h *= 0.5 if "sphere" in scene["a"] else RATIO
        after = 2 if "sphere" in scene["a"] else 5
        for i in range(len(hints)):
            if max(errors[i : i + after]) <= ALLOWED:
                hint, error = hints[i], errors[i]
                break
        else:
            hint, error = hints[-1], errors[-1]
    apart = dict(scene, pose_a=[0.0, 0.0, 3.0, 1.0, 0.0, 0.0, 0.0])
    for representation in REPRESENTATIONS:
        pair = Pair(scene, kind, representation, hint)
        force, faces = pair.force(), pair.faces()
        away = Pair(apart, kind, representation, hint)
        best = [math.inf] * 4
        for _ in range(2):
            tried = [pair.surface_time(), pair.results_time(), away.surface_time(), away.results_time()]
            best = [min(b, t) for b, t in zip(best, tried)]
        print(
            json.dumps(
                {
                    "name": scene["name"],
                    "kind": kind,
                    "representation": representation,
                    "hint": hint,
                    "finest": finest,
                    "error": error,
                    "force": list(force),
                    "refined": None if refined is None else list(refined.mean(axis=0)),
                    "faces": faces,
                    "surface": best[0] - best[2],
                    "results": best[1] - best[3],
                    "apart": best[2:],
                }
            ),
            flush=True,
        )


def run_bin(scene):
    builder = DiagramBuilder()
    plant, _ = AddMultibodyPlantSceneGraph(builder, MultibodyPlant(time_step=scene["step"]))
    plant.set_contact_model(ContactModel.kHydroelasticsOnly)
    plant.set_discrete_contact_approximation(getattr(DiscreteContactApproximation, scene["approximation"]))
    if scene.get("representation"):
        plant.set_contact_surface_representation(REPRESENTATIONS[scene["representation"]])
    plant.mutable_gravity_field().set_gravity_vector([0, 0, -scene["gravity"]])

    def material(half):
        made = ProximityProperties()
        mu = CoulombFriction(scene["friction"], scene["friction"])
        # Half of the pair's each; times of relaxation and dissipations of two bodies are added or combined by Drake.
        AddContactMaterial(dissipation=scene["dissipation"], friction=mu, properties=made)
        made.AddProperty("material", "relaxation_time", float(scene["relaxation"]))
        AddCompliantHydroelasticProperties(1.0, 2 * scene["stiffness"] * min(half), made)
        return made

    for i, (half, at) in enumerate(scene["walls"]):
        plant.RegisterCollisionGeometry(
            plant.world_body(), RigidTransform(at), Box(*(2 * h for h in half)), f"wall-{i}", material(half)
        )
    half, mass, bodies = scene["half"], scene["mass"], []
    size = [2 * h for h in half]
    for i, _ in enumerate(scene["boxes"]):
        inertia = SpatialInertia(mass, [0, 0, 0], UnitInertia.SolidBox(*size))
        body = plant.AddRigidBody(f"box-{i}", inertia)
        plant.RegisterCollisionGeometry(body, RigidTransform(), Box(*size), f"box-{i}", material(half))
        bodies.append(body)
    plant.Finalize()
    diagram = builder.Build()
    simulator = Simulator(diagram)
    context = plant.GetMyMutableContextFromRoot(simulator.get_mutable_context())
    for body, at in zip(bodies, scene["boxes"]):
        plant.SetFreeBodyPose(context, body, pose(at))
    simulator.Initialize()

    def state():
        speed, spin = 0.0, 0.0
        v = plant.GetVelocities(context).reshape(-1, 6)
        spin, speed = np.linalg.norm(v[:, :3], axis=1).max(), np.linalg.norm(v[:, 3:], axis=1).max()
        return plant.EvalKineticEnergy(context), speed, spin

    if scene.get("rebound"):
        fastest = 0.0
        for k in range(1, round(scene["seconds"] / scene["step"]) + 1):
            simulator.AdvanceTo(k * scene["step"])
            fastest = max(fastest, plant.GetVelocities(context)[5])
        print(json.dumps({"rebound": fastest}))
        return

    rows, wall, cpu = [], 0.0, 0.0
    for k in range(1, round(scene["seconds"] / 0.5) + 1):
        before, before_cpu = time.perf_counter(), time.process_time()
        simulator.AdvanceTo(0.5 * k)
        wall += time.perf_counter() - before
        cpu += time.process_time() - before_cpu
        rows.append([0.5 * k, cpu, *state()])
        print(f"  drake, {scene['approximation']}: t {0.5 * k}, {cpu:.1f} s", file=sys.stderr, flush=True)
    heights = [plant.EvalBodyPoseInWorld(context, body).translation()[2] for body in bodies]
    surfaces = plant.get_geometry_query_input_port().Eval(context).ComputeContactSurfaces(
        plant.get_contact_surface_representation()
    )
    energy, speed, spin = state()
    print(
        json.dumps(
            {
                "drake": pydrake.__version__ if hasattr(pydrake, "__version__") else "",
                "seconds": cpu,
                "wall": wall,
                "energy": energy,
                "speed": speed,
                "spin": spin,
                "mean_height": float(np.mean(heights)),
                "lowest": float(np.min(heights)),
                "contacts": len(surfaces),
                "faces": sum(s.num_faces() for s in surfaces),
                "rows": rows,
            }
        )
    )


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        work = json.load(file)
    for scene in work.get("pairs", []):
        for kind in ("compliant", "rigid"):
            measure(scene, kind)
    if "bin" in work:
        run_bin(work["bin"])
