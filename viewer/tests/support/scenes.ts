/** Scenes with everything that a stream can carry, made up: they need not obey mechanics. */
import { Bytes, frames, head, patches, record, samples, stream, type TestContact, type TestFrame, type TestOutline } from "./encoder";

const UPRIGHT = [0, 0, 0, 1];
const floor = { name: "floor", motion: "fixed", mass: null, shapes: [{ shape: "half_space", position: [0, 0, 0], orientation: UPRIGHT }], bounds: null };

function sphere(name: string, radius: number): Record<string, unknown> {
  return { name, motion: "free", mass: 1, center: [0, 0, 0], shapes: [{ shape: "sphere", radius }], bounds: { min: [-radius, -radius, -radius], max: [radius, radius, radius] } };
}

/** In chunks, as a long run is written. */
export function frameRecords(list: TestFrame[], size: number): Uint8Array[] {
  const records: Uint8Array[] = [];
  for (let i = 0; i < list.length; i += size) {
    const some = list.slice(i, i + size);
    if (some.some((frame) => frame.outlines)) records.push(record("P", patches(some)));
    records.push(record("F", frames(some)));
  }
  return records;
}

/** Many spheres that swirl and touch the floor now and then. */
export function manySpheres(count: number, seconds: number): Uint8Array {
  const side = Math.ceil(Math.cbrt(count));
  const list: TestFrame[] = [];
  for (let f = 0; f <= seconds * 25; f++) {
    const t = f * 0.04;
    const poses = [[0, 0, 0, ...UPRIGHT]];
    const contacts: TestContact[] = [];
    for (let i = 0; i < count; i++) {
      const [x, y, z] = [i % side, Math.floor(i / side) % side, Math.floor(i / side / side)];
      const height = 0.05 + 0.1 * z + 0.05 * (1 - Math.cos(2 * t + i));
      poses.push([0.11 * (x - side / 2) + 0.02 * Math.sin(t + i), 0.11 * (y - side / 2) + 0.02 * Math.cos(t + 2 * i), height, 0, 0, Math.sin(t / 2), Math.cos(t / 2)]);
      if (z === 0 && height < 0.055) {
        contacts.push({ a: 0, b: i + 1, sliding: i % 2 === 0, point: [poses[i + 1][0], poses[i + 1][1], 0], normal: [0, 0, -9.81], friction: [1, 0, 0], depth: 1e-5, patch: 0 });
      }
    }
    list.push({ time: t, poses, contacts });
  }
  const bodies = [floor, ...Array.from({ length: count }, (_, i) => sphere(`ball-${i}`, 0.05))];
  return stream(record("H", head({ name: "many", title: `${count} spheres`, duration: seconds, bodies })), ...frameRecords(list, 50));
}

/** Ten bodies and three cables for 200 s: the size of a long run. */
export function longRun(seconds = 200): Uint8Array {
  const list: TestFrame[] = [];
  const noise = (seed: number): number => Math.sin(seed * 12.9898) * 0.5;
  for (let f = 0; f <= seconds * 25; f++) {
    const t = f * 0.04;
    const poses = Array.from({ length: 10 }, (_, i) => [i + Math.sin(t + i), Math.cos(0.7 * t + i), 2 + Math.sin(1.3 * t + 2 * i), 0, Math.sin(0.1 * t), 0, Math.cos(0.1 * t)]);
    const curves = [0, 1, 2].map((c) => Array.from({ length: 50 }, (_, n) => {
      const u = n / 49;
      return [poses[c][0] * (1 - u) + u * 12, poses[c][1] * (1 - u) + c * u, poses[c][2] * (1 - u) + 0.5 * Math.sin(3 * t + 9 * u) * u + 1e-3 * noise(f * 50 + n), 200 + 150 * Math.sin(2 * t + 5 * u)];
    }));
    list.push({ time: t, poses, curves });
  }
  const bodies = Array.from({ length: 10 }, (_, i) => sphere(`buoy-${i}`, 0.3));
  const signals = Array.from({ length: 12 }, (_, i) => ({ name: `buoy-${Math.floor(i / 3)}.position.${"xyz"[i % 3]}`, unit: "m", description: "position" }));
  const times = list.map((x) => x.time);
  const columns = signals.map((_, i) => list.map((x) => x.poses[Math.floor(i / 3)][i % 3]));
  return stream(record("H", head({ name: "long", title: "Ten buoys on three cables", duration: seconds, bodies, signals, curves: [0, 1, 2].map((c) => ({ name: `cable-${c}`, radius: 0.02 })) })),
    record("S", samples(signals.map((_, i) => i), times, columns)), ...frameRecords(list, 100));
}

/** A tetrahedron as a mesh record. */
function mesh(index: number): Uint8Array {
  const points = [[0.2, 0.2, 0.2], [-0.2, -0.2, 0.2], [-0.2, 0.2, -0.2], [0.2, -0.2, -0.2]];
  const faces = [[0, 1, 3], [0, 2, 1], [0, 3, 2], [1, 2, 3]];
  const positions: number[] = [];
  const normals: number[] = [];
  for (const face of faces) {
    const middle = [0, 1, 2].map((k) => face.reduce((sum, v) => sum + points[v][k], 0) / 3);
    const size = Math.hypot(...middle);
    for (const v of face) {
      positions.push(...points[v]);
      normals.push(...middle.map((m) => m / size));
    }
  }
  return new Bytes().raw(Uint32Array.of(index, 12, 4, 2)).raw(Float32Array.from(positions)).raw(Float32Array.from(normals)).raw(Uint32Array.from(Array.from({ length: 12 }, (_, i) => i)))
    .raw(Uint32Array.of(0, 2)).raw(Uint8Array.of(200, 80, 60, 255)).raw(Float32Array.of(0.1, 0.6))
    .raw(Uint32Array.of(2, 2)).raw(Uint8Array.of(60, 110, 200, 255)).raw(Float32Array.of(0.8, 0.3)).done();
}

/** One of everything. `late`: shifts the motion, to have another run to compare with. */
export function everything(late = 0): Uint8Array {
  const names = ["energy.kinetic", "energy.potential", "energy.stored", "energy.dissipated", "energy.dissipated.contact.ball-floor", "energy.dissipated.damper", "energy.work", "energy.residual"];
  const signals = [
    ...names.map((name) => ({ name, unit: "J", description: `The account's ${name}` })),
    ...["x", "y", "z"].map((k) => ({ name: `ball.position.${k}`, unit: "m", description: `Position of ball, ${k}` })),
    ...["x", "y", "z"].map((k) => ({ name: `ball.velocity.${k}`, unit: "m/s", description: `Velocity of ball, ${k}` })),
    { name: "contact.ball-floor.normal_force", unit: "N", description: "Sum of the normal forces" },
    { name: "contact.ball-floor.count", unit: "1", description: "Number of points" },
  ];
  const list: TestFrame[] = [];
  const sample: { times: number[]; columns: number[][] } = { times: [], columns: signals.map(() => []) };
  const state = (t: number) => {
    const phase = Math.max(0, t - late);
    const decay = Math.exp(-0.35 * phase);
    const bounce = Math.abs(Math.cos(2.2 * phase));
    return { x: -0.6 + 0.3 * phase, z: 0.15 + 0.9 * decay * bounce, touching: bounce * decay < 0.06, decay };
  };
  for (let f = 0; f <= 125; f++) {
    const t = f * 0.04;
    const { x, z, touching, decay } = state(t);
    const turn = 0.5 * t;
    const contacts: TestContact[] = [];
    if (touching) contacts.push({ a: 1, b: 0, sliding: t < 2, point: [x, 0, 0], normal: [0, 0, 20], friction: [-6, 0, 0], depth: 1e-4, patch: 0.04 });
    // The box leans a little: one edge carries more than the other.
    const bottom = [[-0.2, -0.15, 0], [-0.2, 0.15, 0], [0.2, 0.15, 0], [0.2, -0.15, 0]];
    const outlines: TestOutline[] = [{ contact: contacts.length, pressure: 220, depth: 2.2e-5, polygons: [{ corners: bottom, loads: [123, 123, 255, 255] }] }];
    contacts.push({ a: 2, b: 0, sliding: false, point: [0.9, 0.5, 0], normal: [0, 0, 19.6], friction: [1.6, 0, 0], depth: 1.65e-5, patch: 0.1954 });
    const node = (u: number): number[] => [0.9 + u * (x - 0.9), 0.5 * (1 - u), (0.24 + u * (z - 0.24)) - 0.35 * Math.sin(Math.PI * u) * decay, 5 + 30 * (1 - decay) * (0.4 + 0.6 * u)];
    list.push({
      time: t,
      absent: t < 0.4 ? [5] : [],
      poses: [
        [0, 0, 0, ...UPRIGHT],
        [x, 0, z, 0, Math.sin(turn), 0, Math.cos(turn)],
        [0.9, 0.5, 0.12, ...UPRIGHT],
        [-0.9, 0.8, 0.3, 0, 0, Math.sin(turn), Math.cos(turn)],
        [0.2, 1.0, 0.16, Math.sin(Math.PI / 4), 0, 0, Math.cos(Math.PI / 4)],
        [0.1, -0.9, 0.5 + 0.1 * Math.sin(2 * t), 0, 0, Math.sin(t), Math.cos(t)],
      ],
      curves: [Array.from({ length: 24 }, (_, n) => node(n / 23))],
      gaps: [[x + 0.1, 0.05, z, 0.75, 0.4, 0.2]],
      contacts,
      outlines,
    });
  }
  for (let i = 0; i <= 1000; i++) {
    const t = i * 0.005;
    const { x, z, touching, decay } = state(t);
    const [total, lost] = [14, 14 * (1 - decay)];
    const potential = 9.81 * z;
    const kinetic = Math.max(0, total - lost - potential);
    sample.times.push(t);
    const row = [kinetic, potential, touching ? 0.6 : 0.05, lost, 0.7 * lost, 0.3 * lost, 0.4 * t, 0.02 * Math.sin(t), x, 0, z, 0.3, 0, -2 * Math.sin(2.2 * t) * decay, touching ? 20 : 0, touching ? 1 : 0];
    row.forEach((value, k) => sample.columns[k].push(value));
  }
  const bodies = [
    floor,
    sphere("ball", 0.15),
    { name: "box", motion: "free", mass: 2, shapes: [{ shape: "box", half: [0.2, 0.15, 0.12] }], bounds: { min: [-0.2, -0.15, -0.12], max: [0.2, 0.15, 0.12] } },
    { name: "roller", motion: "driven", mass: null, colour: [120, 150, 90], shapes: [{ shape: "cylinder", radius: 0.1, half_height: 0.3 }], bounds: { min: [-0.1, -0.1, -0.3], max: [0.1, 0.1, 0.3] } },
    { name: "capsule", motion: "free", mass: 1, center: [0, 0, 0.05], shapes: [{ shape: "capsule", radius: 0.08, half_height: 0.2 }], bounds: { min: [-0.08, -0.08, -0.28], max: [0.08, 0.08, 0.28] } },
    { name: "part", motion: "free", mass: 1, shapes: [{ shape: "sphere", radius: 0.22 }], meshes: [{ mesh: 0, scale: [1, 1, 1] }], bounds: { min: [-0.22, -0.22, -0.22], max: [0.22, 0.22, 0.22] } },
  ];
  const summary = {
    version: "0.1.0", ended: "complete", message: null, time: 5, duration: 5, steps: 50000, rejected_steps: 12, evaluations: 200000, wall_time: 0.42, real_time_factor: 11.9,
    deepest_penetration: 1.1e-4, deepest_time: 0.72, energy_residual: -0.0019, relative_energy_residual: -0.00012, state_hash: "7f857a1ccc7e2b2f",
    expectations: [
      { what: "ball.position.z at 5 s", unit: "m", asked: 0.15, tolerance: 0.01, above: null, below: null, got: 0.1512, met: true, why: "it has come to rest on the floor" },
      { what: "max of contact.ball-floor.normal_force", unit: "N", asked: null, tolerance: null, above: null, below: 15, got: 20, met: false, why: "the ball must not hit harder than this" },
      { what: "final of energy.residual", unit: "J", asked: 0, tolerance: 0.1, above: null, below: null, got: null, met: false, reached: false, why: "" },
    ],
    warnings: ["the contact of ball and floor is resolved by 4 steps only; take a smaller step"],
  };
  const events = list.filter((f, i) => i > 0 && (f.contacts?.length ?? 0) > (list[i - 1].contacts?.length ?? 0)).map((f) => ({ time: f.time, kind: "touch", label: "ball touches floor", bodies: ["ball", "floor"] }));
  const releases = list.filter((f, i) => i > 0 && (f.contacts?.length ?? 0) < (list[i - 1].contacts?.length ?? 0)).map((f) => ({ time: f.time, kind: "release", label: "ball leaves floor", bodies: ["ball", "floor"] }));
  const more = [{ time: 2, kind: "slip", label: "box begins to slide on floor", bodies: ["box", "floor"] }, { time: 2.02, kind: "stick", label: "box sticks to floor", bodies: ["box", "floor"] }];
  return stream(
    record("H", head({
      name: "everything", title: "A ball on a cable bounces beside four others", description: "A made-up scene with one of everything that the viewer can show.", duration: 5,
      integrator: "semi_implicit_euler, 0.1 ms", parameters: { "ball.mass": "1 kg", restitution: "0.8" }, bodies, signals,
      curves: [{ name: "tether", radius: 0.008 }], gaps: [{ a: 1, b: 2 }],
      joints: [{ name: "hinge", kind: "revolute", body: 3, position: [0, 0, 0], axis: [0, 0, 1] },
        { name: "ball joint", kind: "spherical", body: 4, position: [0, 0, 0.28], axis: [0, 0, 1] },
        { name: "cardan", kind: "universal", body: 5, position: [0, 0, 0.3], axis: [0, 0, 1], axes: [{ body: -1, direction: [1, 0, 0] }, { body: 5, direction: [0, 1, 0] }] }],
      loops: [
        { name: "crane", kind: "distance", driven: true, points: [{ body: -1, position: [-1.2, -0.9, 0] }, { body: 5, position: [0, 0, 0.22] }] },
        { name: "hoist", kind: "rope", points: [{ body: 2, position: [0, 0, 0.12] }, { body: -1, position: [0.5, 0.5, 1.4] }, { body: 4, position: [0, 0, 0.2] }] },
        { name: "stay", kind: "distance", points: [{ body: 3, position: [0, 0, 0.3] }, { body: -1, position: [-1.2, 1.2, 0] }] },
        { name: "pin", kind: "point", points: [{ body: 1, position: [0, 0, 0] }, { body: 1, position: [0, 0, 0] }] }],
      views: [{ name: "side", eye: [0, -4, 0.8], target: [0, 0, 0.4], follow: null, from: null }, { name: "with the ball", eye: [-0.6, -2, 1.2], target: [-0.6, 0, 0.4], follow: 1, from: null }, { name: "from the box", eye: [0, 0, 0.3], target: [-1, -0.5, 0.3], follow: null, from: 2 }],
    })),
    record("M", mesh(0)),
    record("E", [...events, ...releases, ...more].sort((a, b) => a.time - b.time)),
    record("S", samples(signals.map((_, i) => i), sample.times, sample.columns)),
    ...frameRecords(list, 25),
    record("Z", summary),
  );
}
