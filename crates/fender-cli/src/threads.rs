//! How many threads compute.

use crate::failure::Failure;

/// Runs a job in a pool of its own, with so many threads or as many as there are cores. Inside the pool, parallel work
/// starts without waking threads through the global one.
pub fn within<T: Send>(threads: Option<u16>, job: impl FnOnce() -> T + Send) -> Result<T, Failure> {
    Ok(pool(threads)?.install(job))
}

/// A pool with so many threads or as many as there are cores.
pub fn pool(threads: Option<u16>) -> Result<rayon::ThreadPool, Failure> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.map_or(0, usize::from)).build();
    pool.map_err(|e| Failure::io(format!("cannot start threads: {e}")))
}
