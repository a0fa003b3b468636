//! Events as a viewer shows them.

use serde_json::{Value, json};

/// An event of `events.json` with the words and the bodies that a viewer needs.
pub fn told(event: &Value) -> Value {
    let mut told = event.clone();
    let name = |key: &str| event.get(key).and_then(Value::as_str).unwrap_or("?");
    let (a, b) = (name("a"), name("b"));
    let label = match name("kind") {
        "touch" => format!("{a} touches {b}"),
        "release" => format!("{a} leaves {b}"),
        "step_too_large" => format!("the step is too large for {a} on {b}"),
        other => other.replace('_', " "),
    };
    if let Some(map) = told.as_object_mut() {
        map.insert("label".into(), label.into());
        if let (Some(a), Some(b)) = (map.remove("a"), map.remove("b")) {
            map.insert("bodies".into(), json!([a, b]));
        }
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_gets_words() {
        let event = json!({"time": 0.5, "kind": "touch", "a": "ball", "b": "floor", "speed": 2.0});
        let expected = json!({"time": 0.5, "kind": "touch", "speed": 2.0, "label": "ball touches floor", "bodies": ["ball", "floor"]});
        assert_eq!(told(&event), expected);
        assert_eq!(told(&json!({"time": 1, "kind": "lost_grip"}))["label"], "lost grip");
    }
}
