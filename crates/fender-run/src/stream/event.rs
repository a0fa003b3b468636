//! Events as a viewer shows them.

use super::head::Head;
use serde_json::{Value, json};
use std::collections::HashSet;

/// Events of `events.json` with the words and the bodies that a viewer needs.
pub fn told(events: &[Value], head: &Head) -> Vec<Value> {
    let free = head.bodies.iter().filter(|b| b.motion == "free").map(|b| b.name.as_str()).collect();
    events.iter().map(|event| told_one(event, &free)).collect()
}

fn told_one(event: &Value, free: &HashSet<&str>) -> Value {
    let mut told = event.clone();
    let name = |key: &str| event.get(key).and_then(Value::as_str).unwrap_or("?");
    let (mut a, mut b) = (name("a"), name("b"));
    // The ball touches the floor, not the floor the ball.
    if free.contains(b) && !free.contains(a) {
        (a, b) = (b, a);
    }
    // A loop, or a tie of a cable.
    let held = || match event.get("cable").and_then(Value::as_str) {
        Some(cable) => format!("{cable}.{}", name("tie")),
        None => name("loop").to_owned(),
    };
    let label = match name("kind") {
        "touch" => format!("{a} touches {b}"),
        "impact" => format!("{a} hits {b}"),
        "slip" => format!("{a} slips on {b}"),
        "release" => format!("{a} leaves {b}"),
        "too_deep" => format!("{a} and {b} overlap too deeply"),
        "step_too_large" => format!("the step is too large for {a} on {b}"),
        "attach" => format!("{} is attached", held()),
        "detach" => format!("{} is detached", held()),
        "break" => format!("{} breaks", name("loop")),
        "slack" => format!("{} goes slack", name("cable")),
        "taut" => format!("{} is taut again", name("cable")),
        "snap" => format!("the snap of {} has passed", name("cable")),
        "slid_out" => format!("{} slides out of {}", name("cable"), name("guide")),
        "payout_stopped" => match name("why") {
            "guide" => format!("hauling in of {} stops: it is at {}", name("cable"), name("guide")),
            why => format!("payout of {} stops at its {why} length", name("cable")),
        },
        "enable" => format!("{} begins to act", name("force")),
        "disable" => format!("{} ceases to act", name("force")),
        "enter" => format!("{} enters the dynamics", name("body")),
        "leave" => format!("{} leaves the dynamics", name("body")),
        other => words_of(other, event),
    };
    if let Some(map) = told.as_object_mut() {
        map.insert("label".into(), label.into());
        if let (Some(a), Some(b)) = (map.remove("a"), map.remove("b")) {
            map.insert("bodies".into(), json!([a, b]));
        } else if let Some(body) = map.remove("body") {
            map.insert("bodies".into(), json!([body]));
        }
    }
    told
}

/// Words for a kind that has none of its own: the kind, and whatever names the event carries.
fn words_of(kind: &str, event: &Value) -> String {
    let named = event.as_object().into_iter().flatten().filter(|(key, _)| *key != "kind");
    let names: Vec<&str> = named.filter_map(|(_, value)| value.as_str()).collect();
    let kind = kind.replace('_', " ");
    if names.is_empty() { kind } else { format!("{kind}: {}", names.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_gets_words_that_begin_with_what_moves() {
        let free = HashSet::from(["ball"]);
        let event = json!({"time": 0.5, "kind": "touch", "a": "floor", "b": "ball", "speed": 2.0});
        let expected = json!({
            "time": 0.5, "kind": "touch", "speed": 2.0,
            "label": "ball touches floor", "bodies": ["floor", "ball"]
        });
        assert_eq!(told_one(&event, &free), expected);
        assert_eq!(told_one(&json!({"time": 1, "kind": "lost_grip"}), &free)["label"], "lost grip");
        let named = json!({"time": 1, "kind": "lost_grip", "hand": "left", "load": 3});
        assert_eq!(told_one(&named, &free)["label"], "lost grip: left");
        let entered = told_one(&json!({"time": 1, "kind": "enter", "body": "ball"}), &free);
        assert_eq!(entered["label"], "ball enters the dynamics");
        assert_eq!(entered["bodies"], json!(["ball"]));
        let tied = json!({"time": 1, "kind": "attach", "cable": "tow", "tie": "end", "lost": 0});
        assert_eq!(told_one(&tied, &free)["label"], "tow.end is attached");
        let taut = json!({"time": 1, "kind": "taut", "cable": "tow", "at": 3, "strain_rate": 2});
        assert_eq!(told_one(&taut, &free)["label"], "tow is taut again");
        assert_eq!(
            told_one(&json!({"time": 1, "kind": "break", "loop": "rod"}), &free)["label"],
            "rod breaks"
        );
    }
}
