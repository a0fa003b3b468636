//! Which settings of scenarios differ.

use crate::error::RunError;
use serde::Serialize;
use std::collections::BTreeMap;

/// A setting that is not the same in all runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Setting {
    /// Path of the key, such as `body.ball.mass`.
    pub key: String,
    /// Value in each run as it is written; none where the key is not there.
    pub values: Vec<Option<String>>,
}

/// The settings that differ between scenarios with every default written out, parameters first.
pub fn differing_settings(texts: &[String]) -> Result<Vec<Setting>, RunError> {
    let mut all: Vec<BTreeMap<String, String>> = Vec::new();
    for text in texts {
        let table: toml::Table =
            text.parse().map_err(|e| RunError::BadInput(format!("a scenario.toml cannot be read: {e}")))?;
        let mut leaves = BTreeMap::new();
        collect(String::new(), &toml::Value::Table(table), &mut leaves);
        all.push(leaves);
    }
    let mut keys: Vec<&String> = all.iter().flat_map(BTreeMap::keys).collect();
    keys.sort_by_key(|key| (!key.starts_with("parameter."), *key));
    keys.dedup();
    let settings = keys.into_iter().map(|key| Setting {
        key: key.clone(),
        values: all.iter().map(|leaves| leaves.get(key).cloned()).collect(),
    });
    Ok(settings.filter(|s| s.values.windows(2).any(|pair| pair[0] != pair[1])).collect())
}

/// Everything that is not a table or a list, by its path.
fn collect(path: String, value: &toml::Value, leaves: &mut BTreeMap<String, String>) {
    match value {
        toml::Value::Table(table) => {
            for (key, value) in table {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                collect(path, value, leaves);
            }
        }
        toml::Value::Array(items) => {
            for (i, item) in items.iter().enumerate() {
                collect(format!("{path}[{i}]"), item, leaves);
            }
        }
        toml::Value::String(text) => {
            leaves.insert(path, text.clone());
        }
        other => {
            leaves.insert(path, other.to_string());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_differs_is_listed() {
        let texts = [
            "a = 1\n[body.ball]\nposition = [0, 0, \"$h\"]\n[parameter]\nh = \"1 m\"\n",
            "a = 1\n[body.ball]\nposition = [0, 2, \"$h\"]\nfixed = true\n[parameter]\nh = \"2 m\"\n",
        ];
        let found = differing_settings(&texts.map(String::from)).unwrap();
        let text: Vec<String> = found.iter().map(|s| format!("{} {:?}", s.key, s.values)).collect();
        assert_eq!(
            text,
            [
                "parameter.h [Some(\"1 m\"), Some(\"2 m\")]",
                "body.ball.fixed [None, Some(\"true\")]",
                "body.ball.position[1] [Some(\"0\"), Some(\"2\")]",
            ]
        );
        assert_eq!(differing_settings(&["a = ".to_string()]).unwrap_err().exit_code(), 2);
    }
}
