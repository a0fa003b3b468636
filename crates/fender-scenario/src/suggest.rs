//! The name that was probably meant.

/// The candidate nearest to `name`, if it is near enough to be worth saying.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower = name.to_lowercase();
    candidates
        .into_iter()
        .map(|c| (strsim::jaro_winkler(&lower, &c.to_lowercase()), c))
        .filter(|(score, _)| *score > 0.78)
        // The first of equals, so that the answer does not depend on the iterator's end.
        .fold(None, |best: Option<(f64, &str)>, next| match best {
            Some(b) if b.0 >= next.0 => Some(b),
            _ => Some(next),
        })
        .map(|(_, c)| c)
}

/// "did you mean `x`?", or what there is.
pub fn help<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str> + Clone,
    what: &str,
) -> Option<String> {
    if let Some(near) = nearest(name, candidates.clone()) {
        return Some(format!("did you mean `{near}`?"));
    }
    let all: Vec<String> = candidates.into_iter().take(13).map(|c| format!("`{c}`")).collect();
    match all.len() {
        0 => Some(format!("there are no {what}")),
        13 => Some(format!("{what}: {}, …", all[..12].join(", "))),
        _ => Some(format!("{what}: {}", all.join(", "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_found_and_far_ones_listed() {
        assert_eq!(nearest("raduis", ["height", "radius"]), Some("radius"));
        assert_eq!(nearest("xyz", ["height", "radius"]), None);
        assert_eq!(help("Ball", ["ball", "slope"], "bodies").unwrap(), "did you mean `ball`?");
        assert_eq!(help("q", ["ball", "slope"], "bodies").unwrap(), "bodies: `ball`, `slope`");
        assert_eq!(help("q", [], "bodies").unwrap(), "there are no bodies");
    }
}
