//! What a viewer may ask for.

use serde_json::Value;

/// Slowest and fastest speed, relative to real time.
const SPEEDS: std::ops::RangeInclusive<f64> = 1e-3..=1e3;

/// A command.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Command {
    /// Stop where it is.
    Pause,
    /// Go on.
    Resume,
    /// One step of the integrator, then pause.
    Step,
    /// Simulated time per wall time; `None` for as fast as it goes.
    Speed(Option<f64>),
    /// From the beginning.
    Restart,
}

impl Command {
    /// Reads a command; an error says what is wrong with it, for the one who sent it.
    pub fn parse(text: &str) -> Result<Self, String> {
        let value: Value = serde_json::from_str(text).map_err(|e| format!("this is not JSON: {e}"))?;
        let name = value.get("command").and_then(Value::as_str);
        match name.ok_or("a command looks like {\"command\": \"pause\"}")? {
            "pause" => Ok(Self::Pause),
            "resume" => Ok(Self::Resume),
            "step" => Ok(Self::Step),
            "restart" => Ok(Self::Restart),
            "speed" => match value.get("value") {
                Some(Value::Null) => Ok(Self::Speed(None)),
                Some(Value::Number(n)) if n.as_f64().is_some_and(|s| SPEEDS.contains(&s)) => {
                    Ok(Self::Speed(n.as_f64()))
                }
                _ => Err(format!(
                    "a speed is a number from {} to {}, or null for as fast as it goes",
                    SPEEDS.start(),
                    SPEEDS.end()
                )),
            },
            other => Err(format!("there is no command '{other}'")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read() {
        assert_eq!(Command::parse(r#"{"command":"step"}"#), Ok(Command::Step));
        assert_eq!(Command::parse(r#"{"command":"speed","value":0.1}"#), Ok(Command::Speed(Some(0.1))));
        assert_eq!(Command::parse(r#"{"command":"speed","value":null}"#), Ok(Command::Speed(None)));
    }

    #[test]
    fn what_is_no_command_is_told() {
        for text in ["", "pause", "[]", "{}", r#"{"command":3}"#, r#"{"command":"fly"}"#, "\u{0}"] {
            assert!(Command::parse(text).is_err(), "{text}");
        }
        for speed in ["0", "-1", "1e9", "\"2\"", "true"] {
            let error = Command::parse(&format!(r#"{{"command":"speed","value":{speed}}}"#)).unwrap_err();
            assert!(error.starts_with("a speed is"), "{error}");
        }
        assert!(Command::parse(r#"{"command":"speed"}"#).is_err());
    }
}
