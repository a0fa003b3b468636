//! Connections: a limited number, each for a limited time without a word. Each takes a file descriptor, and the run
//! needs some of its own.

use axum::serve::Listener;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep, sleep, sleep_until};

/// Connections at a time. A browser has up to six, a script one or two. More wait until one is closed.
pub const MOST: usize = 48;
/// Longest time from the connection to the answer of its first request.
const FIRST: Duration = Duration::from_secs(10);
/// Longest time in which nothing is heard, or nothing can be sent.
const SILENT: Duration = Duration::from_mins(2);
/// Time between pings that a viewer answers, so that one who only looks is heard.
pub const PING: Duration = Duration::from_secs(20);
/// Wait after a connection that could not be accepted.
const AGAIN: Duration = Duration::from_millis(500);

/// Accepts connections as long as there are not too many.
pub struct Limited {
    listener: TcpListener,
    free: Arc<Semaphore>,
}

impl Limited {
    /// Limits a listener.
    pub fn new(listener: TcpListener) -> Self {
        Self { listener, free: Arc::new(Semaphore::new(MOST)) }
    }
}

impl Listener for Limited {
    type Io = Timed;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Timed, SocketAddr) {
        loop {
            let Ok(permit) = Arc::clone(&self.free).acquire_owned().await else {
                // Never closed.
                continue;
            };
            match self.listener.accept().await {
                Ok((stream, address)) => return (Timed::new(stream, permit), address),
                Err(_) => sleep(AGAIN).await,
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// A connection that fails when nothing comes or goes for too long.
pub struct Timed {
    stream: TcpStream,
    heard: Pin<Box<Sleep>>,
    /// Runs while something cannot be sent.
    sent: Option<Pin<Box<Sleep>>>,
    answered: bool,
    _permit: OwnedSemaphorePermit,
}

impl Timed {
    fn new(stream: TcpStream, permit: OwnedSemaphorePermit) -> Self {
        let heard = Box::pin(sleep(FIRST));
        Self { stream, heard, sent: None, answered: false, _permit: permit }
    }

    fn sent<T>(&mut self, result: Poll<io::Result<T>>, context: &mut Context<'_>) -> Poll<io::Result<T>> {
        if result.is_pending() {
            let timer = self.sent.get_or_insert_with(|| Box::pin(sleep(SILENT)));
            return timer.as_mut().poll(context).map(|()| Err(io::ErrorKind::TimedOut.into()));
        }
        self.sent = None;
        if !self.answered {
            self.answered = true;
            self.heard = Box::pin(sleep_until(Instant::now() + SILENT));
        }
        result
    }
}

impl AsyncRead for Timed {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let result = Pin::new(&mut self.stream).poll_read(context, buffer);
        if result.is_ready() && self.answered {
            self.heard.as_mut().reset(Instant::now() + SILENT);
        }
        // The first request has to be whole in time, however many pieces it comes in.
        match self.heard.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => result,
        }
    }
}

impl AsyncWrite for Timed {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.sent(result, context)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    fn runtime() -> tokio::runtime::Runtime {
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
    }

    #[test]
    fn one_connection_too_many_waits_for_another_to_close() {
        let listener = super::super::bind(Some(0)).unwrap();
        let address = listener.local_addr().unwrap();
        listener.set_nonblocking(true).unwrap();
        let clients: Vec<_> = (0..=MOST).map(|_| std::net::TcpStream::connect(address).unwrap()).collect();
        runtime().block_on(async {
            let mut limited = Limited::new(TcpListener::from_std(listener).unwrap());
            let mut accepted = Vec::new();
            for _ in 0..MOST {
                accepted.push(limited.accept().await.0);
            }
            assert_eq!(limited.free.available_permits(), 0);
            let waits = std::future::poll_fn(|context| {
                let mut next = Box::pin(limited.accept());
                Poll::Ready(next.as_mut().poll(context).is_pending())
            });
            assert!(waits.await, "one too many was accepted");
            accepted.pop();
            limited.accept().await;
        });
        assert_eq!(clients.len(), MOST + 1);
    }

    /// Time is that of the runtime, which the test sets.
    #[test]
    fn a_connection_without_a_request_is_closed_in_time() {
        let listener = super::super::bind(Some(0)).unwrap();
        let mut client = std::net::TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        listener.set_nonblocking(true).unwrap();
        runtime().block_on(async {
            let mut limited = Limited::new(TcpListener::from_std(listener).unwrap());
            let (mut timed, _) = limited.accept().await;
            timed.heard = Box::pin(sleep_until(Instant::now()));
            let mut space = [0; 8];
            let read = std::future::poll_fn(|context| {
                Pin::new(&mut timed).poll_read(context, &mut ReadBuf::new(&mut space))
            });
            assert_eq!(read.await.unwrap_err().kind(), io::ErrorKind::TimedOut);
        });
        assert_eq!(client.read(&mut [0; 8]).unwrap(), 0, "it is closed");
    }
}
