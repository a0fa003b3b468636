//! Every validation case is met, each in a test of its own. The page of a case that is met is kept for the book,
//! so that `cargo xtask test` runs each case once.

use crate::common::{fender, flat, folder};
use std::collections::BTreeSet;
use std::path::Path;

fn is_met(name: &str) {
    // What an earlier program made of the case is not kept.
    let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join("validation").join(name);
    if kept.exists() {
        std::fs::remove_dir_all(&kept).expect("it can be removed");
    }
    let dir = folder();
    let page = dir.path().join("page");
    let mut command = fender(dir.path());
    let output = command.args(["validate", "--json", name, "--page"]).arg(&page).output().expect("it runs");
    let result: serde_json::Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {}", flat(&output)));
    let rows = result["cases"][0]["rows"].as_array().expect("it has rows");
    let missed: Vec<_> = rows.iter().filter(|row| row["met"] != true).collect();
    assert!(missed.is_empty(), "{missed:#?}");
    assert_eq!(output.status.code(), Some(0));
    for row in rows {
        assert!(row["why"].as_str().is_some_and(|why| !why.is_empty()), "no reason: {row}");
    }
    // The line of a case tells its worst error in tolerances, so one of them must be more than none.
    assert!(
        rows.iter().any(|row| row["asked"].is_number() && row["tolerance"].as_f64() > Some(0.0)),
        "{rows:?}"
    );
    keep(&page, &kept);
}

/// Copies the files of a folder: the temporary folder may be on another disk.
fn keep(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("it can be made");
    for entry in std::fs::read_dir(from).expect("the pages were written") {
        let entry = entry.expect("it can be read");
        std::fs::copy(entry.path(), to.join(entry.file_name())).expect("it can be copied");
    }
}

macro_rules! cases {
    ($($name:ident)*) => {
        const NAMES: &[&str] = &[$(stringify!($name)),*];
        $(
            #[test]
            fn $name() {
                is_met(stringify!($name));
            }
        )*
    };
}

cases! {
    ahmed_1999_energy_loss
    arnold_2007_order
    atwood_1784_cable
    atwood_1784_rope
    bayo_1988_penalty_pendulum
    bayo_1996_projection
    bernoulli_1732_hanging_chain
    bisshopp_1945_cantilever
    blekhman_2000_vibrating_slope
    canudas_1995_stick_slip
    chrono_2016_adams_cylindrical
    chrono_2016_adams_distance
    chrono_2016_adams_linear_actuator
    chrono_2016_adams_prismatic
    chrono_2016_adams_revolute
    chrono_2016_adams_revolute_spherical
    chrono_2016_adams_rotational_spring
    chrono_2016_adams_spherical
    chrono_2016_adams_spring_at_the_centre
    chrono_2016_adams_translational_spring
    chrono_2016_adams_universal
    chung_1993_oscillator
    coriolis_1835_rolling
    coulomb_1785_chain_on_seabed
    dalembert_1747_axial_wave
    dalembert_1747_transverse_wave
    euler_1744_buckling
    euler_1758_thousand_turns
    euler_1758_torque_free_top
    fletcher_1964_stiff_string
    furuta_1992_pendulum
    galilei_1638_projectile
    galilei_1638_release
    galilei_1638_seabed
    gazzola_2018_cantilever
    gazzola_2018_pendulum
    gonthier_2007_ball_in_cylinder
    gonthier_2007_ball_in_cylinder_helix
    gonthier_2007_damping_factor
    gonthier_2007_double_pendulum
    gonthier_2007_fixed_step
    gonthier_2007_force_loops
    gonthier_2007_incline
    gonthier_2007_restitution
    gonthier_2007_restitution_speed
    gonthier_2007_stick_slip
    gonthier_2007_tap_test
    gonzalez_2006_bricard
    gonzalez_2006_flyball
    gonzalez_2006_four_bar_1
    gonzalez_2006_four_bar_10
    gonzalez_2006_four_bar_2
    gonzalez_2006_four_bar_40
    gonzalez_2006_pendulum
    greenhill_1883_loop
    gualtieri_2006_rotating_cylinder
    hall_2015_orcaflex_chain
    hall_2015_soft_line
    huygens_1673_cable_pendulum
    irvine_1981_catenary
    irvine_1981_sections
    kane_1982_rattleback
    kutta_1901_energy_drift
    kutta_1901_oscillator
    lagrange_1788_double_pendulum
    lagrange_1788_heavy_top
    lowe_2006_moved_sideways
    lowe_2006_moved_up_and_down
    lowe_2006_waves
    luaces_2013_collision
    luaces_2013_cube
    luaces_2013_dishes
    luaces_2013_hunt_crossley
    luaces_2013_pantograph
    luaces_2013_penalty_pendulum
    luaces_2013_spring_mass
    luaces_2013_stick_slip
    maw_1976_oblique_impact
    mazzia_2008_andrews
    morgan_2011_pendulum
    morgan_2011_spatial_impact
    morison_1950_sinking_cable
    morison_1950_wave_force
    newton_1687_winch
    painleve_1895_rod
    pode_1951_critical_angle
    rayleigh_1877_oscillator
    reuleaux_1875_slider_crank
    roy_2007_break_away
    roy_2007_friction_speed
    roy_2007_frictional_lag
    roy_2013_hunt_crossley
    schwager_2007_kelvin_voigt
    stewart_1965_platform
}

#[test]
fn every_case_that_ships_has_a_test() {
    let dir = folder();
    let output = fender(dir.path()).args(["list", "--json"]).output().expect("it runs");
    let list: serde_json::Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    let cases = list["validation"].as_array().expect("it is a list");
    let shipped: BTreeSet<_> = cases.iter().filter_map(|case| case["name"].as_str()).collect();
    assert_eq!(shipped, NAMES.iter().copied().collect());
}
