"""Accelerations, mass matrices and inverse dynamics of trees with Pinocchio: trees.py TREES.json ANSWERS.json"""

import json
import sys

import numpy as np
import pinocchio as pin

JOINTS = {
    "revolute": pin.JointModelRZ,
    "prismatic": pin.JointModelPZ,
    "spherical": pin.JointModelSpherical,
    "free": pin.JointModelFreeFlyer,
}


def build(tree):
    """The model, with bodies in the order of the description (Pinocchio numbers joints from 1)."""
    model = pin.Model()
    model.gravity.linear = np.array(tree["gravity"])
    for i, body in enumerate(tree["bodies"]):
        placement = pin.SE3(pin.Quaternion(np.array(body["rotation"])), np.array(body["translation"]))
        parent = 0 if body["parent"] is None else body["parent"] + 1
        joint = model.addJoint(parent, JOINTS[body["kind"]](), placement, f"j{i}")
        assert joint == i + 1
        xx, xy, xz, yy, yz, zz = body["inertia"]
        inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        model.appendBodyToJoint(joint, pin.Inertia(body["mass"], np.array(body["center"]), inertia), pin.SE3.Identity())
    return model


def gathered(tree, key):
    return np.concatenate([np.array(body[key], dtype=float) for body in tree["bodies"]])


def answer(tree):
    model = build(tree)
    data = model.createData()
    q, v = gathered(tree, "q"), gathered(tree, "v")
    # Wrenches are given about the centres along the world's axes; Pinocchio wants them in the joints' frames.
    pin.forwardKinematics(model, data, q)
    external = pin.StdVec_Force()
    external.append(pin.Force.Zero())
    for i, body in enumerate(tree["bodies"]):
        turn = data.oMi[i + 1].rotation.T
        force, torque = turn @ np.array(body["wrench"][:3]), turn @ np.array(body["wrench"][3:])
        external.append(pin.Force(force, torque + np.cross(np.array(body["center"]), force)))
    effort = gathered(tree, "effort")
    aba = np.array(pin.aba(model, data, q, v, effort, external))
    mass = np.array(pin.crba(model, data, q))
    mass = np.triu(mass) + np.triu(mass, 1).T
    # In long chains aba keeps ten digits; the mass matrix and rnea, which is good to all of them, give the others.
    accelerations = aba.copy()
    for _ in range(3):
        accelerations += np.linalg.solve(mass, effort - np.array(pin.rnea(model, data, q, v, accelerations, external)))
    efforts = np.array(pin.rnea(model, data, q, v, gathered(tree, "rates")))
    return {"aba": aba.tolist(), "accelerations": accelerations.tolist(), "mass": mass.tolist(), "efforts": efforts.tolist()}


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        trees = json.load(file)
    with open(sys.argv[2], "w") as file:
        json.dump({"pinocchio": pin.__version__, "answers": [answer(tree) for tree in trees]}, file)
