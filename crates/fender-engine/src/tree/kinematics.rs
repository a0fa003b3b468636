//! Where links are and how they move.

use super::{Carrier, Link, LinkData};
use crate::data::BodyKinematics;
use crate::joint::{Joint, JointMotion, MAX_DOF};
use fender_math::series::Series;
use fender_math::{Mat3, Pose, Twist, Vec3};

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
        if let Carrier::Joint { joint, body: parent, pose_pj, pose_jb, guide, .. } = &link.carrier {
            let world = BodyKinematics::default();
            let parent = parent.map_or(world, |id| bodies[id.index()]);
            let motion = if let Some(guide) = guide {
                guided(joint.as_ref(), guide, time)
            } else {
                joint.motion(&q[link.q..link.q + joint.nq()], &v[link.v..link.v + link.nv])
            };
            let pose_wj = parent.pose * *pose_pj;
            let turned = pose_wj.rotation;
            let pose_wk = pose_wj * motion.pose;
            let pose = pose_wk * *pose_jb;
            let center = pose.transform_point(link.pose_bc.translation);
            // From the parent's centre to the child's joint frame, and on to the child's centre.
            let out = pose_wk.translation - parent.center;
            let r = center - pose_wk.translation;
            d.r = center - parent.center;
            for (column, s) in d.subspace.iter_mut().zip(&motion.subspace) {
                let angular = turned * s.angular;
                *column = Twist { linear: turned * s.linear + angular.cross(r), angular };
            }
            let omega_p = parent.twist.angular;
            let sliding = turned * motion.twist.linear;
            let turning = turned * motion.twist.angular;
            let omega = omega_p + turning;
            let linear = parent.twist.linear + omega_p.cross(out) + sliding + omega.cross(r);
            // Centripetal, Coriolis, and what the joint itself adds.
            let angular_bias = turned * motion.bias.angular + omega_p.cross(turning);
            let linear_bias = omega_p.cross(omega_p.cross(out))
                + omega_p.cross(sliding) * 2.0
                + turned * motion.bias.linear
                + angular_bias.cross(r)
                + omega.cross(omega.cross(r));
            d.relative = Twist { linear: sliding + turning.cross(r), angular: turning };
            d.bias = Twist { linear: linear_bias, angular: angular_bias };
            let k = &mut bodies[link.body.index()];
            k.pose = Pose { rotation: pose.rotation.normalize(), translation: pose.translation };
            k.center = center;
            k.twist = Twist { linear, angular: omega };
        }
        let k = &mut bodies[link.body.index()];
        let axes = Mat3::from_quat(k.pose.rotation * link.pose_bc.rotation);
        let turn = |moments: Vec3| axes * Mat3::from_diagonal(moments) * axes.transpose();
        d.inertia = turn(link.inertia);
        k.inverse_inertia = turn(link.inertia.recip());
        d.gyroscopic = k.twist.angular.cross(d.inertia * k.twist.angular);
        k.gyroscopic = -d.gyroscopic;
    }
}

/// Motion of a joint whose coordinates are prescribed: what their second derivatives add joins the bias.
fn guided(joint: &dyn Joint, guide: &[Series<1>], time: f64) -> JointMotion {
    let (mut q, mut v, mut a) = ([0.0; MAX_DOF], [0.0; MAX_DOF], [0.0; MAX_DOF]);
    for (i, series) in guide.iter().enumerate() {
        let sample = series.sample(time);
        (q[i], v[i], a[i]) = (sample.value[0], sample.rate[0], sample.acceleration[0]);
    }
    let mut motion = joint.motion(&q[..joint.nq()], &v[..joint.nv()]);
    for (column, acceleration) in motion.subspace.iter().zip(&a[..joint.nv()]) {
        motion.bias.linear += column.linear * *acceleration;
        motion.bias.angular += column.angular * *acceleration;
    }
    motion
}
