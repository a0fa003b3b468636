//! Distances beside those of `coal` (the former hpp-fcl): agreement on random pairs, and time per query in one run.
//!
//! `cargo run --release -p fender-geom --example distances` times Fender alone. With `-- --peers VENV` it compares with coal, which it
//! installs from PyPI into that Python environment if it is not there (the loop around it, `bench/coal/distances.cpp`, needs `g++`).
//! `agreement`, `speed` (of pairs `--only` with this in their name) or `build` run that part only; `--reference FILE` writes the pairs that a test reads.

#[path = "../tests/meshes/mod.rs"]
mod meshes;
#[path = "../tests/pairs/mod.rs"]
mod pairs;

use fender_geom::distance::{closest, meet};
use fender_geom::{Shape, TriMesh};
use fender_math::Vec3;
use pairs::{Chance, KINDS, Library, Pair, cloud, reach, soup};
use std::fmt::Write as _;
use std::hint::black_box;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Instant;

/// coal's GJK stops at this; its default is 1e-6.
const TIGHT: f64 = 1e-12;
/// Pairs of each kind that are compared, and how many of them the test keeps.
const COMPARED: usize = 10_000;
const KEPT: usize = 30;
/// Meshes of about 10², 10³, 10⁴ and 10⁵ triangles.
const MESHES: [&str; 4] = ["potato3", "potato9", "potato29", "potato91"];
/// Polyhedra of 20 and 200 corners.
const HULLS: [&str; 2] = ["hull20", "hull200"];

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let after = |name: &str| args.iter().position(|a| a == name).and_then(|i| args.get(i + 1));
    let coal = after("--peers").map(|place| Coal::install(Path::new(place)));
    let parts = ["agreement", "speed", "build"];
    let all = !args.iter().any(|a| parts.contains(&a.as_str()));
    let wanted = |part: &str| all || args.iter().any(|a| a == part);
    let mut library = Library::default();
    if let Some(coal) = coal.as_ref().filter(|_| wanted("agreement") || after("--reference").is_some()) {
        agreement(coal, &mut library, after("--reference").map(Path::new));
    }
    if wanted("speed") || wanted("build") {
        let mut groups = if wanted("speed") { timed(&mut library) } else { Vec::new() };
        groups.retain(|group| after("--only").is_none_or(|text| group.name.contains(text)));
        let mut peer = coal.as_ref().map(|coal| coal.start(&groups));
        speed(&groups, peer.as_mut());
        if wanted("build") {
            build(peer.as_mut());
        }
    }
}

/// Pairs of one kind.
struct Group {
    name: String,
    /// Whether they overlap and are only asked for that.
    collide: bool,
    pairs: Vec<Pair>,
}

/// coal in a Python environment, with the loop around it.
struct Coal {
    program: PathBuf,
    place: PathBuf,
}

impl Coal {
    fn install(environment: &Path) -> Self {
        let run = |what: &mut Command| {
            let status = what.stdout(Stdio::null()).status();
            assert!(status.is_ok_and(|s| s.success()), "{what:?} fails");
        };
        if !environment.join("bin/pip").exists() {
            run(Command::new("python3").args(["-m", "venv"]).arg(environment));
        }
        run(Command::new(environment.join("bin/pip")).args([
            "install",
            "--quiet",
            "coal==3.0.3",
            "cmeel-eigen",
        ]));
        let lib = environment.join("lib");
        let prefix = std::fs::read_dir(&lib)
            .ok()
            .and_then(|mut list| list.find_map(Result::ok))
            .map(|version| version.path().join("site-packages/cmeel.prefix"))
            .expect("a Python environment has a folder lib/python3.x");
        let place = std::env::temp_dir().join("fender-bench");
        std::fs::create_dir_all(&place).expect("a folder for files");
        let program = place.join("coal-distances");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/coal/distances.cpp");
        let include = |folder: &str| format!("-I{}", prefix.join(folder).display());
        let lib = prefix.join("lib");
        run(Command::new("g++")
            .args(["-w", "-std=c++17", "-O3", "-DNDEBUG"])
            // The definitions are those of the wheel's CMake target.
            .args(["-DCOAL_HAS_OCTOMAP", "-DCOAL_HAVE_OCTOMAP", "-DOCTOMAP_MAJOR_VERSION=1"])
            .args(["-DOCTOMAP_MINOR_VERSION=10", "-DOCTOMAP_PATCH_VERSION=0"])
            .args([include("include"), include("include/eigen3")])
            .args([source.as_os_str(), "-o".as_ref(), program.as_os_str()])
            .arg(format!("-L{}", lib.display()))
            .arg("-lcoal")
            .arg(format!("-Wl,-rpath,{}", lib.display())));
        Self { program, place }
    }

    /// Starts it with pairs of shapes.
    fn start(&self, groups: &[Group]) -> Peer {
        let mut text = String::new();
        for name in MESHES {
            let soup = soup(name);
            writeln!(text, "mesh {name} {} {}", soup.0.len(), soup.1.len()).expect("text");
            soup.0.iter().for_each(|p| writeln!(text, "{} {} {}", p.x, p.y, p.z).expect("text"));
            soup.1.iter().for_each(|t| writeln!(text, "{} {} {}", t[0], t[1], t[2]).expect("text"));
        }
        for name in HULLS {
            let corners = cloud(name);
            writeln!(text, "mesh {name} {} 0", corners.len()).expect("text");
            for p in corners {
                writeln!(text, "{} {} {}", p.x, p.y, p.z).expect("text");
            }
        }
        for group in groups {
            let mode = if group.collide { "collide" } else { "distance" };
            writeln!(text, "group {} {mode} {}", group.name, group.pairs.len()).expect("text");
            group.pairs.iter().for_each(|pair| writeln!(text, "{}", pair.text()).expect("text"));
        }
        let scene = self.place.join("coal-scene.txt");
        std::fs::write(&scene, text).expect("the scene is written");
        let mut child = Command::new(&self.program)
            .arg(scene)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("coal's program starts");
        let (to, from) = (child.stdin.take().expect("piped"), child.stdout.take().expect("piped"));
        let mut peer = Peer { child, to: Some(to), from: BufReader::new(from), version: String::new() };
        peer.version = peer.line();
        println!("coal {}", peer.version);
        peer
    }
}

/// The running program.
struct Peer {
    child: Child,
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
    version: String,
}

impl Peer {
    fn ask(&mut self, command: &str) {
        let to = self.to.as_mut().expect("open until the end");
        writeln!(to, "{command}").and_then(|()| to.flush()).expect("coal's program listens");
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.from.read_line(&mut line).expect("coal's program answers");
        line.trim().to_owned()
    }

    fn numbers(&mut self) -> Vec<f64> {
        self.line().split_whitespace().map(|w| w.parse().expect("a number")).collect()
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        self.to = None;
        self.child.wait().expect("coal's program ends");
    }
}

/// Draws pairs of a kind; `overlap` says which are wanted.
fn draw(
    kinds: [&str; 2],
    near: [f64; 2],
    count: usize,
    collide: bool,
    seed: u64,
    library: &mut Library,
) -> Group {
    let mut chance = Chance(seed);
    let mut pairs = Vec::new();
    while pairs.len() < count {
        let pair = chance.pair(kinds, near, 1.0, library);
        if meet(&pair.shapes[0], &pair.poses[0], &pair.shapes[1], &pair.poses[1]) == collide {
            pairs.push(pair);
        }
    }
    let what = if collide { "overlap" } else { "apart" };
    Group { name: format!("{}-{}-{what}", kinds[0], kinds[1]), collide, pairs }
}

fn agreement(coal: &Coal, library: &mut Library, reference: Option<&Path>) {
    let mut groups = Vec::new();
    for (i, a) in KINDS.iter().enumerate() {
        for (k, b) in KINDS.iter().enumerate().skip(i) {
            let seed = (100 * i + k) as u64;
            match (*a, *b) {
                ("half_space", "half_space") => {}
                ("half_space", "mesh") => {
                    groups.push(draw([MESHES[1], a], [0.5, 1.5], COMPARED, false, seed, library));
                }
                ("mesh", _) => {
                    groups.push(draw([MESHES[0], MESHES[0]], [0.5, 1.5], COMPARED, false, seed, library));
                    groups.push(draw([MESHES[1], MESHES[1]], [0.5, 1.5], COMPARED, false, seed, library));
                    groups.push(draw([MESHES[2], MESHES[3]], [0.5, 1.5], 1000, false, seed, library));
                }
                (_, "mesh") => {
                    groups.push(draw([a, MESHES[0]], [0.5, 1.5], COMPARED, false, seed, library));
                    groups.push(draw([a, MESHES[2]], [0.5, 1.5], 1000, false, seed, library));
                }
                _ => groups.push(draw([a, b], [0.4, 1.5], COMPARED, false, seed, library)),
            }
        }
    }
    let mut peer = coal.start(&groups);
    let mut kept = format!(
        "# Random pairs with the distance and the nearest points [m] by coal {} (GJK to {TIGHT:e}), written by\n\
         # cargo run --release -p fender-geom --example distances -- --peers VENV --reference FILE\n\
         # kind sizes x y z qw qx qy qz, twice = distance and points\n",
        peer.version
    );
    println!(
        "{:<30} {:>7} {:>10} {:>10} {:>7} {:>7}  of those Fender's distance proved",
        "pairs", "count", "distance", "points", "> 1e-8", "failed"
    );
    for group in &groups {
        peer.ask(&format!("answer {} {TIGHT}", group.name));
        let (mut worst, mut worst_point) = (0.0_f64, 0.0_f64);
        let (mut beyond, mut failed, mut proofs, mut lines) = (0, 0, 0, 0);
        for pair in &group.pairs {
            let theirs = peer.numbers();
            let [p, q] = closest(&pair.shapes[0], &pair.poses[0], &pair.shapes[1], &pair.poses[1])
                .expect("these have a distance");
            let apart = (p.distance(q) - theirs[0]).abs();
            // coal may give what is not a number.
            let agrees = apart <= 1e-8;
            if !agrees {
                beyond += 1;
                // Its sign for "not found" is the largest negative number.
                failed += usize::from(apart.is_nan() || apart > 1e-3);
                proofs += usize::from(is_proved(pair, [p, q]));
                continue;
            }
            let [r, s] = [0, 3].map(|i| Vec3::from_slice(&theirs[1 + i..4 + i]));
            worst = worst.max(apart);
            worst_point = worst_point.max(p.distance(r)).max(q.distance(s));
            if lines < KEPT && !group.name.contains("potato91") {
                let numbers: Vec<String> = theirs.iter().map(|x| format!("{x:.12}")).collect();
                writeln!(kept, "{} = {}", pair.text(), numbers.join(" ")).expect("text");
                lines += 1;
            }
        }
        let count = group.pairs.len();
        println!(
            "{:<30} {count:>7} {worst:>10.1e} {worst_point:>10.1e} {beyond:>7} {failed:>7}  {proofs}",
            group.name
        );
    }
    if let Some(path) = reference {
        std::fs::write(path, kept).expect("the file can be written");
    }
}

/// Whether two points prove their distance: planes through them, across the line between them, have one convex shape on either side. Of
/// a mesh each triangle needs such planes, at least as far apart.
fn is_proved(pair: &Pair, [p, q]: [Vec3; 2]) -> bool {
    let [a, b] = &pair.shapes;
    let [pose_a, pose_b] = &pair.poses;
    let between = |b: &Shape, n: Vec3| -reach(b, pose_b, -n) - reach(a, pose_a, n);
    let enough = p.distance(q) - 1e-9;
    let Shape::Mesh(mesh) = b else {
        return between(b, (q - p).normalize()) >= enough;
    };
    (0..mesh.triangles().len() as u32).all(|f| {
        let corners = mesh.corners(f);
        let triangle = TriMesh::new(&corners, &[[0, 1, 2]]).expect("a triangle");
        let triangle = Shape::Mesh(std::sync::Arc::new(triangle));
        let [p, q] = closest(a, pose_a, &triangle, pose_b).expect("a distance");
        between(&triangle, (q - p).normalize()) >= enough
    })
}

fn timed(library: &mut Library) -> Vec<Group> {
    let plain = [
        ["sphere", "sphere"],
        ["sphere", "box"],
        ["sphere", "capsule"],
        ["sphere", "cylinder"],
        ["box", "box"],
        ["capsule", "capsule"],
        ["capsule", "box"],
        ["cylinder", "box"],
        ["cylinder", "cylinder"],
        ["cone", "box"],
        ["ellipsoid", "ellipsoid"],
        ["box", "half_space"],
        [HULLS[0]; 2],
        [HULLS[1]; 2],
        ["sphere", HULLS[0]],
        ["box", HULLS[0]],
    ];
    let mut groups = Vec::new();
    for kinds in plain {
        groups.push(draw(kinds, [0.5, 1.5], 1000, false, 7, library));
        groups.push(draw(kinds, [0.0, 0.8], 1000, true, 8, library));
    }
    for mesh in &MESHES[1..] {
        for kinds in [["sphere", mesh], ["box", mesh], [mesh, mesh]] {
            let count = if kinds[0] == *mesh { 100 } else { 300 };
            groups.push(draw(kinds, [0.7, 1.5], count, false, 7, library));
            // Neither inside the other: coal's meshes are surfaces.
            groups.push(draw(kinds, [0.4, 0.7], count, true, 8, library));
        }
    }
    groups
}

/// Mean time of a query [ns]: of every few pairs, which take a tenth of a millisecond together, the best of many times counts, since the
/// machine may not be ours alone. `bench/coal/distances.cpp` does the same.
fn time(group: &Group) -> f64 {
    let ask = |pair: &Pair| {
        let [a, b] = &pair.shapes;
        let [pose_a, pose_b] = black_box(&pair.poses);
        if group.collide {
            black_box(meet(a, pose_a, b, pose_b));
        } else {
            black_box(closest(a, pose_a, b, pose_b));
        }
    };
    let span = |pairs: &[Pair]| {
        let start = Instant::now();
        pairs.iter().for_each(ask);
        start.elapsed().as_secs_f64() * 1e9
    };
    let few = (1e5 * group.pairs.len() as f64 / span(&group.pairs)).clamp(1.0, 1000.0) as usize;
    let mut best = vec![f64::INFINITY; group.pairs.chunks(few).len()];
    let begin = Instant::now();
    while begin.elapsed().as_secs_f64() < 0.1 {
        for (best, pairs) in best.iter_mut().zip(group.pairs.chunks(few)) {
            *best = best.min(span(pairs));
        }
    }
    best.iter().sum::<f64>() / group.pairs.len() as f64
}

fn speed(groups: &[Group], mut peer: Option<&mut Peer>) {
    println!(
        "{:<32} {:>10} {:>14} {:>14} {:>7}  ns per query",
        "pair", "Fender", "coal, 1e-6", "coal, 1e-12", "ratio"
    );
    for group in groups {
        let (mut ours, mut loose, mut tight) = (f64::INFINITY, f64::INFINITY, f64::INFINITY);
        for _ in 0..5 {
            ours = ours.min(time(group));
            if let Some(peer) = peer.as_deref_mut() {
                peer.ask(&format!("time {} 0", group.name));
                loose = loose.min(peer.numbers()[0]);
                peer.ask(&format!("time {} {TIGHT}", group.name));
                tight = tight.min(peer.numbers()[0]);
            }
        }
        println!("{:<32} {ours:>10.1} {loose:>14.1} {tight:>14.1} {:>7.2}", group.name, loose / ours);
    }
}

fn build(mut peer: Option<&mut Peer>) {
    println!("{:<12} {:>10} {:>16} {:>16}", "mesh", "triangles", "ns per triangle", "bytes per triangle");
    for name in MESHES {
        let soup = soup(name);
        let count = soup.1.len() as f64;
        let (mut ours, mut bytes) = (f64::INFINITY, 0);
        for _ in 0..5 {
            let start = Instant::now();
            let mesh = TriMesh::new(&soup.0, &soup.1).expect("a mesh");
            ours = ours.min(start.elapsed().as_secs_f64() * 1e9);
            bytes = mesh.bytes();
            black_box(Shape::Mesh(std::sync::Arc::new(mesh)));
        }
        println!("{name:<12} {count:>10} {:>16.0} {:>16.0}", ours / count, bytes as f64 / count);
        if let Some(peer) = peer.as_deref_mut() {
            peer.ask(&format!("build {name}"));
            let theirs = peer.numbers();
            println!("{:<12} {count:>10} {:>16.0} {:>16.0}", "  coal", theirs[0] / count, theirs[1] / count);
        }
    }
}
