// Time of one call of Pinocchio's aba, without Python: aba TREES.json, one line per tree: nanoseconds of
// processor time with the default convention (local frames), nanoseconds with the other (world), mean of the first acceleration.
//
// The state changes from call to call, as it does in a simulation; the best of several windows counts, since the machine
// may not be ours alone.

// Pinocchio first: it raises limits of Boost.
#include <pinocchio/multibody.hpp>
#include <pinocchio/algorithm/aba.hpp>

#include <boost/json/src.hpp>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <sstream>
#include <vector>

namespace json = boost::json;
using Eigen::VectorXd;

static VectorXd numbers(const json::value & list)
{
  const auto & array = list.as_array();
  VectorXd out(array.size());
  for (std::size_t i = 0; i < array.size(); ++i)
    out[i] = array[i].to_number<double>();
  return out;
}

int main(int argc, char ** argv)
{
  if (argc != 2)
    return 1;
  std::ifstream file(argv[1]);
  std::stringstream text;
  text << file.rdbuf();
  const json::value trees = json::parse(text.str());
  for (const auto & tree : trees.as_array())
  {
    pinocchio::Model model;
    model.gravity.linear() = numbers(tree.at("gravity"));
    std::vector<double> q0, v0, tau0;
    for (const auto & body : tree.at("bodies").as_array())
    {
      const VectorXd r = numbers(body.at("rotation")), c = numbers(body.at("center")), i = numbers(body.at("inertia"));
      const VectorXd translation = numbers(body.at("translation"));
      const pinocchio::SE3 placement(Eigen::Quaterniond(r[3], r[0], r[1], r[2]), Eigen::Vector3d(translation));
      const auto & parent = body.at("parent");
      const std::size_t carrier = parent.is_null() ? 0 : parent.to_number<std::size_t>() + 1;
      // All joints of the timed trees are revolute.
      const auto joint =
        model.addJoint(carrier, pinocchio::JointModelRZ(), placement, "j" + std::to_string(model.njoints));
      Eigen::Matrix3d inertia;
      inertia << i[0], i[1], i[2], i[1], i[3], i[4], i[2], i[4], i[5];
      model.appendBodyToJoint(
        joint, pinocchio::Inertia(body.at("mass").to_number<double>(), Eigen::Vector3d(c), inertia),
        pinocchio::SE3::Identity());
      q0.push_back(numbers(body.at("q"))[0]);
      v0.push_back(numbers(body.at("v"))[0]);
      tau0.push_back(numbers(body.at("effort"))[0]);
    }
    pinocchio::Data data(model);
    VectorXd q = Eigen::Map<VectorXd>(q0.data(), q0.size());
    const VectorXd v = Eigen::Map<VectorXd>(v0.data(), v0.size());
    const VectorXd tau = Eigen::Map<VectorXd>(tau0.data(), tau0.size());
    const int calls = 200000 / model.nv, windows = 25;
    double best[2] = {1e300, 1e300}, sum = 0.0;
    for (int window = 0; window < windows; ++window)
      for (int which = 0; which < 2; ++which)
      {
        const auto convention = which == 0 ? pinocchio::Convention::LOCAL : pinocchio::Convention::WORLD;
        const std::clock_t start = std::clock();
        for (int call = 0; call < calls; ++call)
        {
          q[call % model.nv] += 1e-9;
          sum += pinocchio::aba(model, data, q, v, tau, convention)[0];
        }
        const double taken = double(std::clock() - start) / CLOCKS_PER_SEC;
        best[which] = std::min(best[which], taken / calls);
      }
    std::printf("%.1f %.1f %.12g\n", best[0] * 1e9, best[1] * 1e9, sum / (2.0 * windows * calls));
  }
  return 0;
}
