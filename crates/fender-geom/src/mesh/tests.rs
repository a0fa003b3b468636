//! Small meshes, right and wrong.

use super::*;
use crate::random_cases::random_cases;
use proptest::prelude::*;

fn none(_: &str) -> Result<Vec<u8>, String> {
    Err("there is no such file".into())
}

fn fails(name: &str, bytes: &[u8]) -> String {
    read(name, bytes, &mut none).expect_err("the file is wrong").to_string()
}

/// Corners of a tetrahedron about the origin's octant, and its faces seen from outside.
const CORNERS: [[f32; 3]; 4] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
const FACES: [[usize; 3]; 4] = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];

fn binary_stl(header: &[u8]) -> Vec<u8> {
    let mut bytes = header.to_vec();
    bytes.resize(80, b' ');
    bytes.extend(4_u32.to_le_bytes());
    for face in FACES {
        bytes.extend([0; 12]);
        bytes.extend(face.iter().flat_map(|i| CORNERS[*i]).flat_map(f32::to_le_bytes));
        bytes.extend([0; 2]);
    }
    bytes
}

fn text_stl() -> String {
    let mut text = "solid thing\n".to_owned();
    for face in FACES {
        text += "  facet normal 0 0 0\n outer loop\n";
        for i in face {
            let [x, y, z] = CORNERS[i];
            text += &format!("   vertex {x} {y:e} {z}\n");
        }
        text += " endloop\n endfacet\n";
    }
    text + "endsolid thing\n"
}

const CUBE: &str = "
# a cube of eight corners and six squares, the top in another colour
mtllib cube.mtl
v -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1
v -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 1
usemtl wood
f 4 3 2 1
f 1 2 6 5
f 2 3 7 6
f 3 4 8 \\
  7
f 4 1 5 8
usemtl paint
f -4 -3 -2 -1
usemtl wood
";

const MATERIALS: &str = "
newmtl wood
Kd 0.8 0.5 0.2
Ns 0
newmtl paint
Kd 0 1 0 # green
Pr 0.25
Pm 1
Tr 0.5
";

fn cube(name: &str) -> Result<Vec<u8>, String> {
    if name == "cube.mtl" { Ok(MATERIALS.into()) } else { none(name) }
}

/// A document with the tetrahedron, and its buffer: positions, normals, indices as u16, as u8.
fn tetrahedron(primitive: &str, node: &str, buffer: &str) -> (String, Vec<u8>) {
    let mut bytes: Vec<u8> = CORNERS.iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
    bytes.extend(CORNERS.iter().flat_map(|_| [0.0_f32, 0.0, 2.0]).flat_map(f32::to_le_bytes));
    bytes.extend(FACES.iter().flatten().flat_map(|i| (*i as u16).to_le_bytes()));
    bytes.extend(FACES.iter().flatten().map(|i| *i as u8));
    let json = format!(
        r#"{{"asset": {{"version": "2.0"}}, "scene": 0, "scenes": [{{"nodes": [0]}}],
        "nodes": [{{"children": [1]}}, {{"mesh": 0 {node}}}],
        "meshes": [{{"primitives": [{{{primitive}}}]}}],
        "materials": [{{"pbrMetallicRoughness": {{"baseColorFactor": [0.5, 0, 1, 0.5], "metallicFactor": 0.1,
            "roughnessFactor": 0.7, "baseColorTexture": {{"index": 0}}}}}}],
        "accessors": [{{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"}},
            {{"bufferView": 0, "byteOffset": 48, "componentType": 5126, "count": 4, "type": "VEC3"}},
            {{"bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR"}},
            {{"bufferView": 2, "componentType": 5121, "count": 12, "type": "SCALAR"}}],
        "bufferViews": [{{"buffer": 0, "byteLength": 96}}, {{"buffer": 0, "byteOffset": 96, "byteLength": 24}},
            {{"buffer": 0, "byteOffset": 120, "byteLength": 12}}],
        "buffers": [{{"byteLength": 132 {buffer}}}]}}"#
    );
    (json, bytes)
}

const INDEXED: &str = r#""attributes": {"POSITION": 0, "NORMAL": 1}, "indices": 2, "material": 0"#;

fn glb(json: &str, buffer: &[u8]) -> Vec<u8> {
    let mut json = json.as_bytes().to_vec();
    json.resize(json.len().next_multiple_of(4), b' ');
    let mut bytes = b"glTF".to_vec();
    bytes.extend(2_u32.to_le_bytes());
    bytes.extend((28 + json.len() as u32 + buffer.len() as u32).to_le_bytes());
    for (kind, chunk) in [(b"JSON", json.as_slice()), (b"BIN\0", buffer)] {
        bytes.extend((chunk.len() as u32).to_le_bytes());
        bytes.extend(kind);
        bytes.extend(chunk);
    }
    bytes
}

fn read_glb(primitive: &str, node: &str) -> Result<VisualMesh, MeshError> {
    let (json, buffer) = tetrahedron(primitive, node, "");
    read("t.glb", &glb(&json, &buffer), &mut none)
}

/// Volume inside the triangles: right only if all of them are there and face outward.
fn volume(mesh: &VisualMesh) -> f64 {
    let corner = |i: u32| fender_math::Vec3::from_array(mesh.positions[i as usize].map(f64::from));
    let part = |t: &[u32; 3]| corner(t[0]).dot(corner(t[1]).cross(corner(t[2]))) / 6.0;
    mesh.triangles.iter().map(part).sum()
}

#[track_caller]
fn is_whole(mesh: &VisualMesh, expected_volume: f64) {
    assert!((volume(mesh) - expected_volume).abs() < 1e-6, "{}", volume(mesh));
    assert_eq!(mesh.positions.len(), mesh.normals.len());
    for n in &mesh.normals {
        let length = n.iter().map(|x| x * x).sum::<f32>();
        assert!((length - 1.0).abs() < 1e-5, "{n:?}");
    }
    let mut next = 0;
    for part in &mesh.parts {
        assert_eq!(part.first, next);
        next += part.count;
    }
    assert_eq!(next as usize, mesh.triangles.len());
}

#[test]
fn stl_in_binary_and_as_text() {
    let binary = read("a.stl", &binary_stl(b"made by hand"), &mut none).unwrap();
    is_whole(&binary, 1.0 / 6.0);
    assert_eq!((binary.positions.len(), binary.triangles.len(), binary.parts.len()), (12, 4, 1));
    assert_eq!(binary.normals[0], [0.0, 0.0, -1.0]);
    assert_eq!(binary.extent(), ([0.0; 3], [1.0; 3]));
    // A binary file may begin like a text, and the ending may be in capitals.
    assert_eq!(read("b.STL", &binary_stl(b"solid"), &mut none).unwrap(), binary);
    assert_eq!(read("c.stl", text_stl().as_bytes(), &mut none).unwrap(), binary);
}

#[test]
fn bad_stl() {
    let whole = binary_stl(b"x");
    assert_eq!(
        fails("a.stl", &whole[..200]),
        "a.stl, byte 80: the file is cut short: its list of triangles needs 284 bytes, and there are 200"
    );
    assert_eq!(
        fails("a.stl", b"hello"),
        "a.stl: this is no STL file: it is text, and a text STL file begins with `solid`, not \"hello\""
    );
    let mut lying = whole.clone();
    lying[80..84].copy_from_slice(&u32::MAX.to_le_bytes());
    assert!(fails("a.stl", &lying).contains("needs 214748364834 bytes"));
    let mut odd = whole.clone();
    odd[96 + 50..100 + 50].copy_from_slice(&f32::NAN.to_le_bytes());
    assert_eq!(fails("a.stl", &odd), "a.stl, byte 134: a coordinate is not a finite number");
    assert_eq!(
        fails("a.stl", b"solid x\nendsolid x"),
        "a.stl: there are no triangles in it: no `facet` between `solid` and `endsolid`"
    );
    let text = text_stl();
    assert_eq!(
        fails("a.stl", text.replacen("vertex 1", "vertex", 1).as_bytes()),
        "a.stl, line 6: a vertex has three numbers"
    );
    assert_eq!(
        fails("a.stl", text.replacen("1e0", "1e99", 1).as_bytes()),
        "a.stl, line 5: the coordinate 1e99 is too large: they go up to 3.4e38"
    );
    assert!(fails("a.stl", &text.as_bytes()[..100]).starts_with("a.stl, line "));
    assert_eq!(
        fails("a.stl", b"solid x\nfacet\nvertex 1 2 3\nendfacet"),
        "a.stl, line 4: a facet has three vertices, and this one has 1"
    );
    assert_eq!(
        fails("a.stl", b"solid x\nthe end"),
        "a.stl, line 2: unexpected word `the` in a text STL file"
    );
}

#[test]
fn obj_with_materials() {
    let mesh = read("cube.obj", CUBE.as_bytes(), &mut cube).unwrap();
    is_whole(&mesh, 8.0);
    assert_eq!(mesh.triangles.len(), 12);
    // Faces of a cube meet at 90 degrees and stay sharp: four vertices each.
    assert_eq!(mesh.positions.len(), 24);
    assert!(mesh.normals.iter().all(|n| n.iter().filter(|x| x.abs() > 0.999_999).count() == 1));
    let [wood, paint] = mesh.parts[..] else { panic!("{:?}", mesh.parts) };
    assert_eq!((wood.count, wood.colour, wood.roughness), (10, [204, 128, 51, 255], 1.0));
    assert_eq!((paint.colour, paint.metallic, paint.roughness), ([0, 255, 0, 128], 1.0, 0.25));
    assert!(mesh.warnings.is_empty());
}

#[test]
fn obj_without_normals_is_smooth_where_it_is_round() {
    // A ball of rings: the angles between its faces are small.
    let (rings, sides) = (12, 24);
    let mut text = String::new();
    for i in 0..=rings {
        for j in 0..sides {
            let (s, c) = (std::f64::consts::PI * f64::from(i) / f64::from(rings)).sin_cos();
            let (t, d) = (std::f64::consts::TAU * f64::from(j) / f64::from(sides)).sin_cos();
            text += &format!("v {} {} {}\n", s * d, s * t, c);
        }
    }
    for i in 0..rings {
        for j in 0..sides {
            let at = |i: i32, j: i32| i * sides + j % sides + 1;
            text += &format!("f {} {} {} {}\n", at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
        }
    }
    let mesh = read("ball.obj", text.as_bytes(), &mut none).unwrap();
    assert!(volume(&mesh) > 4.0);
    // The poles are rows of single points, whose triangles each have one of their own.
    for (p, n) in mesh.positions.iter().zip(&mesh.normals).filter(|(p, _)| p[2].abs() < 0.99) {
        let cosine: f32 = p.iter().zip(n).map(|(a, b)| a * b).sum();
        assert!(cosine > 0.995, "{p:?} {n:?}");
    }
}

#[test]
fn obj_with_normals_keeps_them() {
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvn 1 0 1\nvn 0 0 0\nf 1/1/1 2//1 3/1/2\n";
    let mesh = read("t.obj", text.as_bytes(), &mut none).unwrap();
    let half = 0.5_f32.sqrt();
    assert_eq!(mesh.normals[0], [half, 0.0, half]);
    // One of zeros is replaced by that of the face.
    assert_eq!(mesh.normals[2], [0.0, 0.0, 1.0]);
}

#[test]
fn bad_obj() {
    let start = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    let cases = [
        ("f 1 2 4", "t.obj, line 4: vertex 4 does not exist: there are 3"),
        ("f 1 2 -4", "t.obj, line 4: vertex -4 does not exist: there are 3"),
        ("f 0 1 2", "t.obj, line 4: vertex 0 does not exist: there are 3"),
        ("f 1//1 2 3", "t.obj, line 4: normal 1 does not exist: there are 0"),
        ("f 1 2", "t.obj, line 4: a face has three corners or more, and this one has 2"),
        ("f 1 two 3", "t.obj, line 4: expected the number of a vertex, got \"two\""),
        ("v 1 2", "t.obj, line 4: `v` takes three numbers, and has \"1 2\""),
        ("v 1 nan 2", "t.obj, line 4: a coordinate is not a finite number"),
        ("v 1 2 -inf", "t.obj, line 4: a coordinate is not a finite number"),
        ("v 1 1e39 2", "t.obj, line 4: the coordinate 1e39 is too large: they go up to 3.4e38"),
        ("v 1 2 -1e200", "t.obj, line 4: the coordinate -1e200 is too large: they go up to 3.4e38"),
        (
            "",
            "t.obj: there are no triangles in it: it has 3 vertices and no faces, which are lines such as `f 1 2 3`",
        ),
        ("f 1 1 2", "t.obj: there are no triangles in it: the only one has no area"),
        (
            "l 1 2",
            "t.obj: there are no triangles in it: it has 3 vertices and no faces, which are lines such as `f 1 2 3`, \
             but curves, lines or points",
        ),
        ("mtllib t.mtl", "t.obj, line 4: it needs the file `t.mtl`: there is no such file"),
    ];
    for (line, message) in cases {
        assert_eq!(fails("t.obj", format!("{start}{line}").as_bytes()), message);
    }
    let mut bad_material = |_: &str| Ok(b"newmtl wood\nKd red\n".to_vec());
    let error = read("cube.obj", CUBE.as_bytes(), &mut bad_material).unwrap_err();
    assert_eq!(error.to_string(), "cube.mtl, line 2: `Kd` takes numbers, and has \"red\"");
    let mut other = |_: &str| Ok(b"newmtl steel\nmap_Kd steel.png\n".to_vec());
    let mesh = read("cube.obj", CUBE.as_bytes(), &mut other).unwrap();
    assert_eq!(mesh.warnings.len(), 3, "{:?}", mesh.warnings);
    assert_eq!(mesh.parts.len(), 1);
}

#[test]
fn gltf_in_every_packing() {
    let inside = read_glb(INDEXED, "").unwrap();
    is_whole(&inside, 1.0 / 6.0);
    assert_eq!(inside.positions.len(), 4);
    assert_eq!(inside.normals[0], [0.0, 0.0, 1.0]);
    // 0.5 is 188 as sRGB; a material is opaque unless it says otherwise.
    assert_eq!(inside.parts[0].colour, [188, 0, 255, 255]);
    assert_eq!((inside.parts[0].metallic, inside.parts[0].roughness), (0.1, 0.7));
    assert_eq!(inside.warnings, ["textures are not shown, only the colours of the materials"]);

    let (json, buffer) = tetrahedron(INDEXED, "", r#", "uri": "my%20data.bin""#);
    let mut beside = |name: &str| if name == "my data.bin" { Ok(buffer.clone()) } else { none(name) };
    assert_eq!(read("t.gltf", json.as_bytes(), &mut beside).unwrap(), inside);

    let uri = format!(r#", "uri": "data:application/octet-stream;base64,{}""#, base64(&buffer));
    let (json, _) = tetrahedron(INDEXED, "", &uri);
    assert_eq!(read("t.gltf", json.as_bytes(), &mut none).unwrap(), inside);
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let bits = chunk.iter().fold(0_u32, |b, x| b << 8 | u32::from(*x)) << (8 * (3 - chunk.len()));
        for k in 0..=chunk.len() {
            text.push(char::from(LETTERS[(bits >> (18 - 6 * k) & 63) as usize]));
        }
    }
    text
}

#[test]
fn gltf_nodes_place_meshes() {
    let double = read_glb(INDEXED, r#", "scale": [2, 3, 4], "translation": [5, 0, 0]"#).unwrap();
    is_whole(&double, 4.0);
    assert_eq!(double.extent(), ([5.0, 0.0, 0.0], [7.0, 3.0, 4.0]));
    // A quarter turn about x: y up becomes z up.
    let half = 0.5_f64.sqrt();
    let turned = read_glb(INDEXED, &format!(r#", "rotation": [{half}, 0, 0, {half}]"#)).unwrap();
    is_whole(&turned, 1.0 / 6.0);
    assert!(turned.normals.iter().all(|n| (n[1] + 1.0).abs() < 1e-6));
    // A mirror image still faces outward, and its normals with it.
    let matrix = r#", "matrix": [-1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1]"#;
    let mirrored = read_glb(INDEXED, matrix).unwrap();
    is_whole(&mirrored, 1.0 / 6.0);
    assert!(mirrored.normals.iter().all(|n| n[2] > 0.99));
    is_whole(&read_glb(&INDEXED.replace(r#", "NORMAL": 1"#, ""), matrix).unwrap(), 1.0 / 6.0);
}

#[test]
fn gltf_primitives() {
    // Bytes as indices, without normals: each face has its own.
    let flat = read_glb(r#""attributes": {"POSITION": 0}, "indices": 3"#, "").unwrap();
    is_whole(&flat, 1.0 / 6.0);
    assert_eq!(flat.positions.len(), 12);
    assert!(!flat.parts[0].own_colour);
    // Four corners in a row: two triangles, of which the second is turned.
    let strip = read_glb(r#""attributes": {"POSITION": 0}, "mode": 5"#, "").unwrap();
    assert_eq!(strip.normals[0], [0.0, 0.0, 1.0]);
    assert_eq!(strip.positions[3..], [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]]);
    let fan = read_glb(r#""attributes": {"POSITION": 0}, "mode": 6"#, "").unwrap();
    assert_eq!(fan.positions[3..], [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, 0.0]]);
}

#[test]
fn bad_gltf() {
    let (json, buffer) = tetrahedron(INDEXED, "", "");
    let changed = |from: &str, to: &str| {
        assert!(json.contains(from), "{from}");
        fails("t.glb", &glb(&json.replacen(from, to, 1), &buffer))
    };
    let cases = [
        ("\"2.0\"", "\"1.0\"", "asset.version: version 1.0 of glTF cannot be read"),
        ("\"nodes\": [0]", "\"nodes\": [7]", "nodes: node 7 does not exist: there are 2"),
        ("\"children\": [1]", "\"children\": [0]", "nodes[0]: a node may have one parent only"),
        ("\"mesh\": 0", "\"mesh\": 1", "nodes[1]: mesh 1 does not exist: there are 1"),
        (
            "\"material\": 0",
            "\"material\": 3",
            "meshes[0].primitives[0]: material 3 does not exist: there are 1",
        ),
        ("\"POSITION\": 0,", "", "meshes[0].primitives[0]: it has no positions"),
        ("\"indices\": 2", "\"indices\": 0", "accessors[0]: expected the type SCALAR, got VEC3"),
        (
            "5123",
            "5126",
            "accessors[2]: the file is cut short: the accessor needs 48 bytes, and there are 24",
        ),
        ("5123", "7", "accessors[2]: 7 is no component type"),
        (
            "\"count\": 4",
            "\"count\": 18446744073709551615",
            "accessors[0]: the file is cut short: the accessor needs 18446744073709551615 bytes, and there are 96",
        ),
        (
            "\"byteLength\": 96",
            "\"byteLength\": 9600",
            "bufferViews[0]: the file is cut short: the buffer view needs 9600 bytes, and there are 132",
        ),
        (
            "\"byteLength\": 132",
            "\"byteLength\": 133",
            "buffers[0]: the file is cut short: the buffer needs 133 bytes, and there are 132",
        ),
        ("\"count\": 4", "\"sparse\": {}, \"count\": 4", "accessors[0]: a sparse accessor cannot be read"),
        (
            "\"scene\": 0",
            "\"extensionsRequired\": [\"KHR_draco_mesh_compression\"]",
            "extensionsRequired: the extension KHR_draco_mesh_compression, without which the file cannot be shown, \
             cannot be read",
        ),
        (
            "\"mesh\": 0",
            "\"mesh\": 0, \"scale\": [1e300, 1, 1]",
            "meshes[0].primitives[0]: the coordinate 1e300 is too large: they go up to 3.4e38",
        ),
    ];
    for (from, to, message) in cases {
        assert_eq!(changed(from, to), format!("t.glb, {message}"));
    }
    let mut wild = buffer.clone();
    wild[96..98].copy_from_slice(&[200, 0]);
    assert_eq!(
        fails("t.glb", &glb(&json, &wild)),
        "t.glb, meshes[0].primitives[0]: vertex 200 does not exist: there are 4"
    );
    assert_eq!(
        fails("t.gltf", json.as_bytes()),
        "t.gltf, buffers[0]: it names no file, and there is no binary chunk for it"
    );
    assert_eq!(
        fails("t.gltf", b"{\n\"asset\": 3}"),
        "t.gltf, line 2: not the JSON of a glTF file: invalid type: integer `3`, expected struct Asset at line 2 column 10"
    );
    let whole = glb(&json, &buffer);
    assert!(fails("t.glb", &whole[..whole.len() - 1]).contains("cut short"));
    assert_eq!(
        fails("t.glb", b"PK"),
        "t.glb, byte 0: this is no binary glTF file: it does not begin with `glTF`"
    );
}

/// The same rubbish under every ending: each format says that it is not one of its files, and what would be.
#[test]
fn rubbish_is_called_rubbish() {
    let rubbish: Vec<u8> = (0..600_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let binary = rubbish.iter().position(|b| *b < 9).unwrap();
    let byte = rubbish[binary];
    assert_eq!(
        fails("a.obj", &rubbish),
        format!(
            "a.obj, byte {binary}: it is not text but binary data (0x{byte:02x} here), and an OBJ file is text: lines such as \
             `v 0 0 1` for vertices and `f 1 2 3` for faces"
        )
    );
    // Also where a line of it happens to look like one that is wrong.
    assert!(
        fails("a.obj", b"\0\nf 1 2\n")
            .starts_with("a.obj, byte 0: it is not text but binary data (0x00 here)")
    );
    assert!(fails("a.obj", b"\xff\xfev\0 \0").contains("it is text as UTF-16"));
    assert_eq!(
        fails("a.gltf", &rubbish),
        format!(
            "a.gltf, byte {binary}: it is not text but binary data (0x{byte:02x} here), and a .gltf file is text (JSON)"
        )
    );
    let (json, buffer) = tetrahedron(INDEXED, "", "");
    assert!(fails("a.gltf", &glb(&json, &buffer)).ends_with("a binary glTF file ends in .glb"));
    assert!(fails("a.glb", &rubbish).contains("this is no binary glTF file"));
    assert!(fails("a.stl", &rubbish).contains("cut short"));
    // Of another format.
    assert!(fails("a.stl", CUBE.as_bytes()).contains("this is no STL file: it is text"));
    assert_eq!(
        fails("a.obj", text_stl().as_bytes()),
        "a.obj: there are no triangles in it: it has 0 vertices and no faces, which are lines such as `f 1 2 3`"
    );
    assert_eq!(
        fails("a.gltf", br#"{"asset": {"version": "2.0"}, "nodes": [{}]}"#),
        "a.gltf: there are no triangles in it: its scene has 1 node, the file 0 meshes, and no node of the scene shows triangles"
    );
    let mut none = binary_stl(b"x");
    none[80..84].fill(0);
    assert_eq!(fails("a.stl", &none), "a.stl, byte 80: there are no triangles in it: their number is 0 here");
}

#[test]
fn a_small_file_cannot_describe_a_huge_mesh() {
    // A thousand nodes with a strip that reads the same 32 KB of zeros as 32 768 indices.
    let count = 32_768;
    let primitive = r#"{"attributes": {"POSITION": 0}, "indices": 1, "mode": 5}"#;
    let nodes = vec![r#"{"mesh": 0}"#; 1000].join(",");
    let many = vec![primitive; 40].join(",");
    let json = format!(
        r#"{{"asset": {{"version": "2.0"}}, "nodes": [{nodes}], "meshes": [{{"primitives": [{many}]}}],
        "accessors": [{{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}},
            {{"bufferView": 1, "componentType": 5121, "count": {count}, "type": "SCALAR"}}],
        "bufferViews": [{{"buffer": 0, "byteLength": 36}}, {{"buffer": 0, "byteOffset": 36, "byteLength": {count}}}],
        "buffers": [{{"byteLength": {}}}]}}"#,
        count + 36
    );
    let mut buffer: Vec<u8> = CORNERS[..3].iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
    buffer.extend((0..count).map(|i| (i % 3) as u8));
    assert_eq!(
        fails("t.glb", &glb(&json, &buffer)),
        "t.glb: it has more than 20 million vertices or triangles"
    );
}

#[test]
fn the_ending_tells_the_format() {
    assert_eq!(
        fails("a/b.step", b""),
        "a/b.step: a mesh is a .stl, .obj, .gltf or .glb file, and this is a .step file"
    );
    assert_eq!(
        fails("v1.2/hull", b""),
        "v1.2/hull: a mesh is a .stl, .obj, .gltf or .glb file, and this is a name without an ending"
    );
}

#[test]
fn what_has_no_material_can_be_painted() {
    let mut plain = read("a.stl", &binary_stl(b"x"), &mut none).unwrap();
    plain.paint([1, 2, 3]);
    assert_eq!(plain.parts[0].colour, [1, 2, 3, 255]);
    let mut coloured = read_glb(INDEXED, "").unwrap();
    coloured.paint([1, 2, 3]);
    assert_eq!(coloured.parts[0].colour, [188, 0, 255, 255]);
}

/// Every format, to be damaged.
fn valid_files() -> Vec<(&'static str, Vec<u8>)> {
    let (json, buffer) = tetrahedron(INDEXED, r#", "scale": [1, 2, 3]"#, "");
    let uri = format!(r#", "uri": "data:;base64,{}""#, base64(&buffer));
    vec![
        ("a.stl", binary_stl(b"solid")),
        ("b.stl", text_stl().into_bytes()),
        ("cube.obj", CUBE.as_bytes().to_vec()),
        ("cube.mtl", MATERIALS.as_bytes().to_vec()),
        ("t.glb", glb(&json, &buffer)),
        ("t.gltf", tetrahedron(r#""attributes": {"POSITION": 0}, "indices": 3"#, "", &uri).0.into_bytes()),
    ]
}

fn read_damaged(name: &str, bytes: &[u8]) -> Result<VisualMesh, MeshError> {
    if name == "cube.mtl" {
        return read("cube.obj", CUBE.as_bytes(), &mut |_| Ok(bytes.to_vec()));
    }
    read(name, bytes, &mut cube)
}

proptest! {
    #![proptest_config(random_cases(3000))]

    /// A damaged file is read or refused with its name; what is read is a mesh.
    #[test]
    fn damaged_files_never_panic(
        which in 0_usize..6,
        cut in proptest::option::of(0.0..1.0_f64),
        flips in proptest::collection::vec((0.0..1.0_f64, any::<u8>()), 0..4),
    ) {
        let (name, mut bytes) = valid_files().swap_remove(which);
        for (at, to) in flips {
            let place = (at * bytes.len() as f64) as usize;
            bytes[place] = to;
        }
        if let Some(cut) = cut {
            bytes.truncate((cut * bytes.len() as f64) as usize);
        }
        match read_damaged(name, &bytes) {
            Ok(mesh) => {
                prop_assert!(mesh.positions.iter().chain(&mesh.normals).flatten().all(|x| x.is_finite()));
                prop_assert!(mesh.triangles.iter().flatten().all(|i| (*i as usize) < mesh.positions.len()));
                prop_assert_eq!(mesh.parts.iter().map(|p| p.count as usize).sum::<usize>(), mesh.triangles.len());
            }
            Err(error) => prop_assert!(!error.file.is_empty() && error.to_string().len() > error.file.len()),
        }
    }
}

#[test]
fn every_valid_file_is_read() {
    for (name, bytes) in valid_files() {
        read_damaged(name, &bytes).unwrap();
    }
}
