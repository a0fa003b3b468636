// coal's answers and times for pairs of shapes, without Python: distances SCENE, then one command a line on standard input.
//
//   answer GROUP TOLERANCE   for each pair: distance, nearest points (7 numbers a line)
//   time GROUP TOLERANCE     nanoseconds per query, best of several
//   build MESH               nanoseconds to build the tree, bytes that the model says it takes, and triangles
//
// TOLERANCE is that of coal's GJK; 0 takes its default. The scene (written by crates/fender-geom/examples/distances.rs) has
//   mesh NAME VERTICES TRIANGLES, then a line for each vertex and triangle
//   group NAME distance|collide COUNT, then a line for each pair: shape, pose, shape, pose
// with the pose as x y z and the quaternion w x y z.

#include <coal/BVH/BVH_model.h>
#include <coal/collision.h>
#include <coal/distance.h>
#include <coal/shape/convex.h>
#include <coal/shape/geometric_shapes.h>

#include <cstdio>
#include <ctime>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

using namespace coal;
typedef BVHModel<OBBRSS> Mesh;
typedef std::shared_ptr<CollisionGeometry> Geometry;

struct Source
{
  std::vector<Vec3s> vertices;
  std::vector<Triangle> triangles;
  std::shared_ptr<Mesh> mesh;
  Geometry hull;
};

struct Pair
{
  Geometry a, b;
  Transform3s pose_a, pose_b;
};

struct Group
{
  bool collide;
  std::vector<Pair> pairs;
};

static std::map<std::string, Source> meshes;
static std::map<std::string, Group> groups;

static double clock_ns()
{
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * t.tv_sec + t.tv_nsec;
}

static std::shared_ptr<Mesh> build(const Source & source)
{
  auto mesh = std::make_shared<Mesh>();
  mesh->beginModel((unsigned)source.triangles.size(), (unsigned)source.vertices.size());
  mesh->addSubModel(source.vertices, source.triangles);
  mesh->endModel();
  return mesh;
}

static Geometry shape(std::istream & in)
{
  std::string kind;
  in >> kind;
  double x, y, z;
  if (kind == "sphere")
    return in >> x, Geometry(new Sphere(x));
  if (kind == "box")
    return in >> x >> y >> z, Geometry(new Box(2 * x, 2 * y, 2 * z));
  if (kind == "capsule")
    return in >> x >> y, Geometry(new Capsule(x, 2 * y));
  if (kind == "cylinder")
    return in >> x >> y, Geometry(new Cylinder(x, 2 * y));
  if (kind == "cone")
    return in >> x >> y, Geometry(new Cone(x, 2 * y));
  if (kind == "ellipsoid")
    return in >> x >> y >> z, Geometry(new Ellipsoid(x, y, z));
  if (kind == "half_space")
    return Geometry(new Halfspace(Vec3s(0, 0, 1), 0));
  std::string name;
  in >> name;
  Source & source = meshes.at(name);
  if (kind == "mesh")
  {
    if (!source.mesh)
      source.mesh = build(source);
    return source.mesh;
  }
  if (kind == "polyhedron")
  {
    if (!source.hull)
    {
      auto points = std::make_shared<std::vector<Vec3s>>(source.vertices);
      source.hull.reset(ConvexBase::convexHull(points, (unsigned)points->size(), true));
    }
    return source.hull;
  }
  throw std::runtime_error("unknown shape " + kind);
}

static Transform3s pose(std::istream & in)
{
  double x, y, z, w, i, j, k;
  in >> x >> y >> z >> w >> i >> j >> k;
  return Transform3s(Eigen::Quaterniond(w, i, j, k).normalized().toRotationMatrix(), Vec3s(x, y, z));
}

static void read(const char * path)
{
  std::ifstream in(path);
  std::string what, name;
  while (in >> what >> name)
  {
    if (what == "mesh")
    {
      Source & source = meshes[name];
      std::size_t vertices, triangles, a, b, c;
      in >> vertices >> triangles;
      for (Vec3s p; vertices-- > 0;)
        in >> p[0] >> p[1] >> p[2], source.vertices.push_back(p);
      for (; triangles-- > 0;)
        in >> a >> b >> c, source.triangles.push_back(Triangle(a, b, c));
      continue;
    }
    Group & group = groups[name];
    std::string mode;
    std::size_t count;
    in >> mode >> count;
    group.collide = mode == "collide";
    for (; count-- > 0;)
    {
      Pair pair;
      pair.a = shape(in);
      pair.pose_a = pose(in);
      pair.b = shape(in);
      pair.pose_b = pose(in);
      group.pairs.push_back(pair);
    }
  }
}

static void set(QueryRequest & request, double tolerance)
{
  if (tolerance > 0)
  {
    request.gjk_tolerance = tolerance;
    request.gjk_max_iterations = 1000;
  }
}

static void answer(const Group & group, double tolerance)
{
  DistanceRequest request;
  set(request, tolerance);
  for (const Pair & pair : group.pairs)
  {
    DistanceResult result;
    const double d = distance(pair.a.get(), pair.pose_a, pair.b.get(), pair.pose_b, request, result);
    const Vec3s &p = result.nearest_points[0], &q = result.nearest_points[1];
    std::printf("%.17g %.17g %.17g %.17g %.17g %.17g %.17g\n", d, p[0], p[1], p[2], q[0], q[1], q[2]);
  }
}

// Of every few pairs, which take a tenth of a millisecond together, the best of many times counts: the machine may not be ours alone.
static double time(const Group & group, double tolerance)
{
  // Without the depth of what overlaps, and for collisions without contacts: what is asked for is what is timed.
  DistanceRequest apart(true, false);
  CollisionRequest meets(NO_REQUEST, 1);
  set(apart, tolerance);
  set(meets, tolerance);
  // Finding the function for a pair of shapes is not timed: a user who asks often keeps these objects.
  std::vector<std::unique_ptr<ComputeDistance>> distances;
  std::vector<std::unique_ptr<ComputeCollision>> collisions;
  for (const Pair & pair : group.pairs)
  {
    if (group.collide)
      collisions.emplace_back(new ComputeCollision(pair.a.get(), pair.b.get()));
    else
      distances.emplace_back(new ComputeDistance(pair.a.get(), pair.b.get()));
  }
  const std::size_t count = group.pairs.size();
  double sum = 0;
  DistanceResult far;
  CollisionResult near;
  const auto span = [&](std::size_t from, std::size_t to)
  {
    const double start = clock_ns();
    for (std::size_t i = from; i < to; ++i)
    {
      const Pair & pair = group.pairs[i];
      if (group.collide)
      {
        near.clear();
        sum += (double)(*collisions[i])(pair.pose_a, pair.pose_b, meets, near);
      }
      else
      {
        far.clear();
        sum += (*distances[i])(pair.pose_a, pair.pose_b, apart, far);
      }
    }
    return clock_ns() - start;
  };
  const std::size_t few = (std::size_t)std::min(std::max(1e5 * (double)count / span(0, count), 1.0), 1000.0);
  std::vector<double> best((count + few - 1) / few, 1e300);
  const double begin = clock_ns();
  while (clock_ns() - begin < 1e8)
  {
    for (std::size_t k = 0; k < best.size(); ++k)
      best[k] = std::min(best[k], span(k * few, std::min((k + 1) * few, count)));
  }
  // So that the work cannot be left out.
  if (sum == 0.12345)
    std::fprintf(stderr, "%g", sum);
  double total = 0;
  for (const double t : best)
    total += t;
  return total / (double)count;
}

int main(int argc, char ** argv)
{
  if (argc != 2)
    return 1;
  read(argv[1]);
  std::printf("%s\n", COAL_VERSION);
  std::fflush(stdout);
  std::string command, name;
  double tolerance;
  while (std::cin >> command >> name)
  {
    if (command == "build")
    {
      const Source & source = meshes.at(name);
      double best = 1e300;
      int bytes = 0;
      for (int i = 0; i < 5; ++i)
      {
        const double start = clock_ns();
        const auto mesh = build(source);
        best = std::min(best, clock_ns() - start);
        bytes = mesh->memUsage(false);
      }
      std::printf("%.17g %d %zu\n", best, bytes, source.triangles.size());
    }
    else
    {
      std::cin >> tolerance;
      if (command == "answer")
        answer(groups.at(name), tolerance);
      else
        std::printf("%.17g\n", time(groups.at(name), tolerance));
    }
    std::fflush(stdout);
  }
}
