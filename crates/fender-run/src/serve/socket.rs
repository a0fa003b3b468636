//! The web side: a page, and a socket per viewer.

use super::access::Access;
use super::connection::PING;
use super::hub::{Cursor, Hub};
use crate::stream::record;
use axum::Router;
use axum::body::Bytes;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONNECTION, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST, LOCATION, ORIGIN,
    REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use std::sync::Arc;

/// Longest command that is read [bytes].
const MAX_COMMAND: usize = 4096;

/// What browsers are told to keep the page of a host to. Its script and style are inside it; pictures and videos that it
/// makes are blobs. It talks to this server alone, and no other page may show it.
fn policy(host: &str) -> String {
    format!(
        "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; \
         media-src blob:; font-src data:; connect-src 'self' ws://{host}; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'none'"
    )
}

/// What is served.
pub fn router(page: String, access: Access, hub: Option<Arc<Hub>>) -> Router {
    let page = Bytes::from(page);
    let html = [(CONTENT_TYPE, "text/html; charset=utf-8"), (CACHE_CONTROL, "no-store")];
    let mut router = Router::new().route("/", get(async move || (html, page)));
    if let Some(hub) = hub {
        router = router.route("/live", get(live).with_state(hub));
    }
    router.fallback(nothing).layer(middleware::from_fn_with_state(access, guard))
}

async fn nothing() -> impl IntoResponse {
    (StatusCode::NOT_FOUND, "There is nothing at this address. The page is at /\n")
}

/// Refuses what was not asked by this machine's user through this server's own page: another user of the machine, or a
/// page of another site through the user's browser, could otherwise read and steer the run.
async fn guard(State(access): State<Access>, request: Request, next: Next) -> Response {
    let Some(host) = own_host(request.headers()) else {
        return refuse("This server answers its own page on this machine only.\n");
    };
    let policy = policy(host);
    let query = request.uri().query();
    let mut response = if access.admits(query) {
        next.run(request).await
    } else if let Some(page) = access.redeem(query) {
        (StatusCode::SEE_OTHER, [(LOCATION, page)]).into_response()
    } else {
        refuse("The token is missing or wrong: open the whole address that 'fender view' has printed.\n")
    };
    for (name, value) in [
        (CONTENT_SECURITY_POLICY, policy.as_str()),
        (X_FRAME_OPTIONS, "DENY"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "no-referrer"),
    ] {
        // Names and ports of this machine are letters that a header may have.
        if let Ok(value) = HeaderValue::from_str(value) {
            response.headers_mut().insert(name, value);
        }
    }
    response
}

fn refuse(why: &'static str) -> Response {
    // A connection that was refused is not kept.
    (StatusCode::FORBIDDEN, [(CONNECTION, "close")], why).into_response()
}

/// The host that was asked, if that is this machine and if no page of another site asks.
fn own_host(headers: &HeaderMap) -> Option<&str> {
    let text = |name| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let host = text(HOST)?;
    // A name that a foreign site has pointed to 127.0.0.1 is not ours.
    let name = host.rsplit_once(':').filter(|(_, port)| port.parse::<u16>().is_ok()).map_or(host, |(n, _)| n);
    let local = ["127.0.0.1", "localhost", "[::1]"].contains(&name);
    // Browsers say where a socket is opened from; programs do not.
    let own = text(ORIGIN).is_none_or(|origin| origin.strip_prefix("http://") == Some(host));
    (local && own).then_some(host)
}

async fn live(State(hub): State<Arc<Hub>>, upgrade: WebSocketUpgrade) -> Response {
    upgrade.max_message_size(MAX_COMMAND).on_upgrade(|socket| watch(socket, hub))
}

/// Sends a viewer everything, as fast as it reads, and hears its commands.
async fn watch(mut socket: WebSocket, hub: Arc<Hub>) {
    let mut cursor = Cursor::default();
    let mut message = Message::Binary(Bytes::from(record::begin()));
    let mut ping = tokio::time::interval(PING);
    loop {
        if socket.send(message).await.is_err() {
            return;
        }
        message = loop {
            let ready = cursor.has_head();
            tokio::select! {
                biased;
                heard = socket.recv(), if ready => match heard {
                    Some(Ok(Message::Text(text))) => {
                        if let Some(answer) = hub.command(&text) {
                            break Message::Binary(answer);
                        }
                    }
                    Some(Ok(Message::Close(_)) | Err(_)) | None => return,
                    Some(Ok(_)) => {}
                },
                _ = ping.tick() => break Message::Ping(Bytes::new()),
                next = hub.message(&mut cursor) => break Message::Binary(next),
            }
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(host: &str, origin: Option<&str>) -> bool {
        let mut headers = HeaderMap::new();
        headers.insert(HOST, host.parse().unwrap());
        if let Some(origin) = origin {
            headers.insert(ORIGIN, origin.parse().unwrap());
        }
        own_host(&headers).is_some()
    }

    #[test]
    fn only_the_own_page_on_this_machine_is_answered() {
        assert!(asked("127.0.0.1:7878", None) && asked("localhost:9000", Some("http://localhost:9000")));
        assert!(asked("[::1]:80", None));
        assert!(!asked("127.0.0.1:7878", Some("http://evil.example")));
        assert!(!asked("127.0.0.1:7878", Some("http://127.0.0.1:8000")));
        assert!(!asked("127.0.0.1:7878", Some("null")));
        assert!(!asked("evil.example:7878", Some("http://evil.example:7878")));
        assert!(own_host(&HeaderMap::new()).is_none());
    }
}
