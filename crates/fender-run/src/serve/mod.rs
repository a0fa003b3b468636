//! `fender view`: a page on localhost, of finished runs or of one that is being computed.
//!
//! Nothing listens but 127.0.0.1, and nothing is answered that was asked without the token ([`access`]) or by a page of another
//! site. Connections are limited (`connection.rs`). The simulation runs on its own
//! thread through the ordinary driver ([`live`]); what it shows is kept in a history ([`hub`]) from which every viewer
//! reads at its own pace ([`socket`]), so that a late one sees everything and a slow one holds up nobody.

pub mod access;
pub mod command;
mod connection;
pub mod hub;
pub mod live;
pub mod socket;

pub use access::{Access, TOKEN_VARIABLE};
pub use live::Live;

use crate::error::RunError;
use connection::Limited;
use hub::Hub;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::Duration;

/// Port when none is asked for.
pub const PORT: u16 = 7878;
/// Ports that are tried from there on.
const TRIES: u16 = 100;
/// Wall time between two looks at whether it is over.
const LOOK: Duration = Duration::from_millis(30);

/// Takes a port of 127.0.0.1: the one asked for (0: any), or the first free one from [`PORT`] on.
pub fn bind(port: Option<u16>) -> Result<TcpListener, RunError> {
    let at = |port: u16| {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        TcpListener::bind(address).map_err(|e| RunError::io(Path::new(&address.to_string()), e))
    };
    match port {
        Some(port) => at(port),
        None => (PORT..PORT + TRIES).find_map(|port| at(port).ok()).map_or_else(|| at(0), Ok),
    }
}

/// Serves a page until the interrupt is set to a signal's number.
pub fn serve_page(
    listener: TcpListener,
    access: Access,
    page: String,
    interrupt: &AtomicI32,
) -> Result<(), RunError> {
    serve(listener, access, page, None, || interrupt.load(Ordering::Relaxed) != 0)
}

/// Serves a page, and a live run if there is one, until it is over.
fn serve(
    listener: TcpListener,
    access: Access,
    page: String,
    hub: Option<Arc<Hub>>,
    over: impl Fn() -> bool,
) -> Result<(), RunError> {
    let failed = |e: std::io::Error| RunError::io(Path::new("127.0.0.1"), e);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(failed)?;
    let served = runtime.block_on(async {
        listener.set_nonblocking(true)?;
        let listener = tokio::net::TcpListener::from_std(listener)?;
        let stopped = async {
            while !over() {
                tokio::time::sleep(LOOK).await;
            }
        };
        tokio::select! {
            served = axum::serve(Limited::new(listener), socket::router(page, access, hub)) => served,
            () = stopped => Ok(()),
        }
    });
    // Viewers that are still connected are not waited for.
    runtime.shutdown_background();
    served.map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_that_is_taken_is_an_error_if_it_was_asked_for() {
        let first = bind(None).unwrap();
        let second = bind(None).unwrap();
        let port = first.local_addr().unwrap().port();
        assert_ne!(second.local_addr().unwrap().port(), port);
        let error = bind(Some(port)).unwrap_err();
        assert_eq!(error.exit_code(), 4);
        assert!(error.to_string().contains(&format!("127.0.0.1:{port}")), "{error}");
        let url = Access::new(None).unwrap().url(&first).unwrap();
        assert!(url.starts_with(&format!("http://127.0.0.1:{port}/?token=")), "{url}");
    }
}
