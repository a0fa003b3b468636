//! The web side: a page, and a socket per viewer.

use super::hub::{Cursor, Hub};
use crate::stream::record;
use axum::Router;
use axum::body::Bytes;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{Request, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, HOST, ORIGIN};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use std::sync::Arc;

/// Longest command that is read [bytes].
const MAX_COMMAND: usize = 4096;

/// What is served.
pub fn router(page: String, hub: Option<Arc<Hub>>) -> Router {
    let page = Bytes::from(page);
    let html = [(CONTENT_TYPE, "text/html; charset=utf-8"), (CACHE_CONTROL, "no-store")];
    let mut router = Router::new().route("/", get(async move || (html, page)));
    if let Some(hub) = hub {
        router = router.route("/live", get(live).with_state(hub));
    }
    router.fallback(nothing).layer(middleware::from_fn(own))
}

async fn nothing() -> impl IntoResponse {
    (StatusCode::NOT_FOUND, "There is nothing at this address. The page is at /\n")
}

/// Refuses what was not asked by this machine's user through this server's own page: a page of another site could otherwise
/// read and steer the run through the user's browser.
async fn own(request: Request, next: Next) -> Response {
    if is_own(request.headers()) {
        return next.run(request).await;
    }
    (StatusCode::FORBIDDEN, "This server answers its own page on this machine only.\n").into_response()
}

fn is_own(headers: &HeaderMap) -> bool {
    let text = |name| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    // A name that a foreign site has pointed to 127.0.0.1 is not ours.
    let Some(host) = text(HOST) else { return false };
    let name = host.rsplit_once(':').filter(|(_, port)| port.parse::<u16>().is_ok()).map_or(host, |(n, _)| n);
    let local = ["127.0.0.1", "localhost", "[::1]"].contains(&name);
    // Browsers say where a socket is opened from; programs do not.
    local && text(ORIGIN).is_none_or(|origin| origin.strip_prefix("http://") == Some(host))
}

async fn live(State(hub): State<Arc<Hub>>, upgrade: WebSocketUpgrade) -> Response {
    upgrade.max_message_size(MAX_COMMAND).on_upgrade(|socket| watch(socket, hub))
}

/// Sends a viewer everything, as fast as it reads, and hears its commands.
async fn watch(mut socket: WebSocket, hub: Arc<Hub>) {
    let mut cursor = Cursor::default();
    let mut message = Bytes::from(record::begin());
    loop {
        if socket.send(Message::Binary(message)).await.is_err() {
            return;
        }
        message = loop {
            let ready = cursor.has_head();
            tokio::select! {
                biased;
                heard = socket.recv(), if ready => match heard {
                    Some(Ok(Message::Text(text))) => {
                        if let Some(answer) = hub.command(&text) {
                            break answer;
                        }
                    }
                    Some(Ok(Message::Close(_)) | Err(_)) | None => return,
                    Some(Ok(_)) => {}
                },
                next = hub.message(&mut cursor) => break next,
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
        is_own(&headers)
    }

    #[test]
    fn only_the_own_page_on_this_machine_is_answered() {
        assert!(asked("127.0.0.1:7878", None) && asked("localhost:9000", Some("http://localhost:9000")));
        assert!(asked("[::1]:80", None));
        assert!(!asked("127.0.0.1:7878", Some("http://evil.example")));
        assert!(!asked("127.0.0.1:7878", Some("http://127.0.0.1:8000")));
        assert!(!asked("127.0.0.1:7878", Some("null")));
        assert!(!asked("evil.example:7878", Some("http://evil.example:7878")));
        assert!(!is_own(&HeaderMap::new()));
    }
}
