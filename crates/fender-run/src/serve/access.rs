//! Who may look and steer: those who know the token in the address that the command prints.
//!
//! Other users of the machine can reach 127.0.0.1 too, but not read this user's terminal. They can read the arguments of
//! processes: the browser is therefore started with an address that is good for one request and leads to the other.

use crate::error::RunError;
use std::net::TcpListener;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// Environment variable with the token to use, so that an address is the same the next time.
pub const TOKEN_VARIABLE: &str = "FENDER_VIEW_TOKEN";
/// Shortest token that is accepted [characters].
const SHORTEST: usize = 16;
/// Random bytes of a token: 128 bits cannot be guessed.
const RANDOM: usize = 16;

/// What a request must know.
#[derive(Clone, Debug)]
pub struct Access {
    token: String,
    /// Good for one request.
    once: Arc<Mutex<Option<String>>>,
}

impl Access {
    /// Access by a token: the one given, or a new random one.
    pub fn new(token: Option<String>) -> Result<Self, RunError> {
        let token = match token {
            None => random()?,
            Some(token) => token,
        };
        let allowed = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
        if token.len() < SHORTEST || !token.chars().all(allowed) {
            return Err(RunError::BadInput(format!(
                "{TOKEN_VARIABLE} must have at least {SHORTEST} letters, digits, '-' or '_'; without it a random \
                 token is made"
            )));
        }
        Ok(Self { token, once: Arc::new(Mutex::new(Some(random()?))) })
    }

    /// Address of the page that a listener serves.
    pub fn url(&self, listener: &TcpListener) -> Result<String, RunError> {
        address(listener, &format!("token={}", self.token))
    }

    /// Address for the command line of a browser: it leads to the page once.
    pub fn url_once(&self, listener: &TcpListener) -> Result<String, RunError> {
        let once = self.once.lock().unwrap_or_else(PoisonError::into_inner).clone();
        address(listener, &format!("once={}", once.unwrap_or_default()))
    }

    /// Whether a request's query has the token.
    pub(super) fn admits(&self, query: Option<&str>) -> bool {
        value(query, "token").is_some_and(|given| same(given, &self.token))
    }

    /// Where a request leads whose query has what is good for one request.
    pub(super) fn redeem(&self, query: Option<&str>) -> Option<String> {
        let given = value(query, "once")?;
        let mut once = self.once.lock().unwrap_or_else(PoisonError::into_inner);
        once.take_if(|once| same(given, once))?;
        Some(format!("/?token={}", self.token))
    }
}

fn address(listener: &TcpListener, query: &str) -> Result<String, RunError> {
    let address = listener.local_addr().map_err(|e| RunError::io(Path::new("127.0.0.1"), e))?;
    Ok(format!("http://{address}/?{query}"))
}

fn value<'a>(query: Option<&'a str>, key: &str) -> Option<&'a str> {
    query?.split('&').find_map(|pair| pair.strip_prefix(key)?.strip_prefix('='))
}

/// Compares in a time that does not tell how much agrees.
fn same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |differs, (x, y)| differs | (x ^ y)) == 0
}

fn random() -> Result<String, RunError> {
    let mut bytes = [0; RANDOM];
    getrandom::fill(&mut bytes).map_err(|e| RunError::io(Path::new("random numbers"), e))?;
    Ok(format!("{:032x}", u128::from_le_bytes(bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_token_admits() {
        let access = Access::new(None).unwrap();
        let query = format!("x=1&token={}", access.token);
        assert!(access.admits(Some(&query)));
        let others = [None, Some(""), Some("token="), Some("token=x"), Some(&query[..query.len() - 1])];
        assert!(others.iter().all(|query| !access.admits(*query)));
        assert!(!Access::new(None).unwrap().admits(Some(&query)), "every server has its own");
        let own = Access::new(Some("my-own_token-0123".into())).unwrap();
        assert!(own.admits(Some("token=my-own_token-0123")));
        for bad in ["short", "with a space in it", "with&an=ampersand"] {
            assert_eq!(Access::new(Some(bad.into())).unwrap_err().exit_code(), 2);
        }
    }

    #[test]
    fn the_browsers_address_is_good_once() {
        let access = Access::new(None).unwrap();
        let listener = super::super::bind(Some(0)).unwrap();
        let url = access.url_once(&listener).unwrap();
        let query = url.split_once('?').map(|(_, query)| query);
        assert!(!access.admits(query) && access.redeem(Some("once=")).is_none());
        let target = access.redeem(query).unwrap();
        assert!(access.url(&listener).unwrap().ends_with(&target));
        assert_eq!(access.redeem(query), None);
    }
}
