//! Where links are and how they move.

use super::{Carrier, Link, LinkData, Symmetric};
use crate::data::BodyKinematics;
use crate::joint::{Joint, JointMotion, MAX_DOF};
use fender_math::{Mat3, Pose, Profile, Twist, Vec3};

/// Poses, velocities, subspaces and bias accelerations of all links, from the roots outward. The kinematics of bodies
/// that are not in a tree, and of floating roots, must be up to date.
pub fn kinematics(
    links: &[Link],
    time: f64,
    q: &[f64],
    v: &[f64],
    bodies: &mut [BodyKinematics],
    data: &mut [LinkData],
) {
    for (link, d) in links.iter().zip(data) {
        let mut axes = None;
        if let Carrier::Joint { joint, along_z, body: parent, pose_pj, pose_jb, guide, .. } = &link.carrier {
            let (pose_p, center_p, twist_p) =
                parent.map_or((Pose::IDENTITY, Vec3::ZERO, Twist::default()), |id| {
                    let k = &bodies[id.index()];
                    (k.pose, k.center, k.twist)
                });
            let pose_wj = pose_p * *pose_pj;
            let turned = Mat3::from_quat(pose_wj.rotation);
            // Where the child's joint frame is, how it slides and turns, and what the joint itself adds.
            let (rotation, out, sliding, turning, own);
            match along_z {
                Some(joint) if guide.is_none() => {
                    let (z, x, v) = (turned.z_axis, q[link.q], v[link.v]);
                    rotation = pose_wj.rotation * joint.rotation(x);
                    out = pose_wj.translation + z * (joint.rise * x) - center_p;
                    (sliding, turning) = (z * (joint.rise * v), z * (joint.turn * v));
                    own = Twist::default();
                    d.subspace[0] = Twist { linear: z * joint.rise, angular: z * joint.turn };
                }
                _ => {
                    let motion = if let Some(guide) = guide {
                        guided(joint.as_ref(), guide, time)
                    } else {
                        joint.motion(&q[link.q..link.q + joint.nq()], &v[link.v..link.v + link.nv])
                    };
                    let turn = |t: &Twist| Twist { linear: turned * t.linear, angular: turned * t.angular };
                    rotation = pose_wj.rotation * motion.pose.rotation;
                    out = pose_wj.translation + turned * motion.pose.translation - center_p;
                    Twist { linear: sliding, angular: turning } = turn(&motion.twist);
                    own = turn(&motion.bias);
                    for (column, s) in d.subspace.iter_mut().zip(&motion.subspace).take(joint.nv()) {
                        *column = turn(s);
                    }
                }
            }
            // The product of unit quaternions is so near to one that the first term of 1/√ makes it one.
            let rotation = rotation * pose_jb.rotation;
            let rotation = rotation * (1.5 - 0.5 * rotation.length_squared());
            let body_axes = Mat3::from_quat(rotation);
            // From the parent's centre to the child's joint frame (out), and on to the child's centre.
            let r = body_axes * link.arm;
            d.r = out + r;
            let center = center_p + d.r;
            for column in d.subspace.iter_mut().take(joint.nv()) {
                column.linear += column.angular.cross(r);
            }
            let omega_p = twist_p.angular;
            let omega = omega_p + turning;
            let (carried, swung) = (omega_p.cross(out), omega.cross(r));
            // Centripetal, Coriolis, and what the joint itself adds.
            let angular_bias = own.angular + omega_p.cross(turning);
            let linear_bias = omega_p.cross(carried + sliding * 2.0)
                + own.linear
                + angular_bias.cross(r)
                + omega.cross(swung);
            d.relative = Twist { linear: sliding + turning.cross(r), angular: turning };
            d.bias = Twist { linear: linear_bias, angular: angular_bias };
            let k = &mut bodies[link.body.index()];
            k.pose = Pose { rotation, translation: center - body_axes * link.pose_bc.translation };
            k.center = center;
            k.twist = Twist { linear: twist_p.linear + carried + sliding + swung, angular: omega };
            axes = Some(body_axes);
        }
        let k = &mut bodies[link.body.index()];
        let axes = axes.unwrap_or_else(|| Mat3::from_quat(k.pose.rotation)) * link.axes;
        d.inertia = Symmetric::turned(&axes, link.inertia);
        if link.reached {
            k.inverse_inertia = Symmetric::turned(&axes, link.inertia.recip()).full();
        }
        d.gyroscopic = k.twist.angular.cross(d.inertia * k.twist.angular);
        k.gyroscopic = -d.gyroscopic;
    }
}

/// Motion of a joint whose coordinates are prescribed: what their second derivatives add joins the bias.
fn guided(joint: &dyn Joint, guide: &[Profile], time: f64) -> JointMotion {
    let (mut q, mut v, mut a) = ([0.0; MAX_DOF], [0.0; MAX_DOF], [0.0; MAX_DOF]);
    for (i, profile) in guide.iter().enumerate() {
        [q[i], v[i], a[i]] = profile.sample(time);
    }
    let mut motion = joint.motion(&q[..joint.nq()], &v[..joint.nv()]);
    for (column, acceleration) in motion.subspace.iter().zip(&a[..joint.nv()]) {
        motion.bias.linear += column.linear * *acceleration;
        motion.bias.angular += column.angular * *acceleration;
    }
    motion
}
