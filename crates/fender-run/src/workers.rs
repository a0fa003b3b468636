//! Many runs at once, each on one thread.

use crate::error::RunError;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Does the jobs 0 to `count` − 1, as many at once as the caller's thread pool has threads, each on one thread, and gives
/// their answers in order. The first error keeps further jobs from starting.
pub fn each<T: Send>(
    count: usize,
    job: impl Fn(usize) -> Result<T, RunError> + Sync,
) -> Result<Vec<T>, RunError> {
    let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    // A worker has a pool of one thread, so that whatever a job does in parallel stays on it. Plain threads hand out
    // the jobs: a rayon worker that waits for another pool would start the next job meanwhile.
    let work = || -> Result<Vec<(usize, T)>, RunError> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
        let pool = pool.map_err(|e| RunError::io(Path::new("."), format!("cannot start a thread: {e}")))?;
        let mut mine = Vec::new();
        while !stop.load(Ordering::Relaxed) {
            let i = next.fetch_add(1, Ordering::Relaxed);
            if i >= count {
                break;
            }
            match pool.install(|| job(i)) {
                Ok(answer) => mine.push((i, answer)),
                Err(error) => {
                    stop.store(true, Ordering::Relaxed);
                    return Err(error);
                }
            }
        }
        Ok(mine)
    };
    let workers = rayon::current_num_threads().min(count).max(1);
    let answers = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        handles.into_iter().map(std::thread::ScopedJoinHandle::join).collect::<Vec<_>>()
    });
    let mut all = Vec::with_capacity(count);
    for answer in answers {
        all.extend(answer.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?);
    }
    all.sort_by_key(|(i, _)| *i);
    Ok(all.into_iter().map(|(_, answer)| answer).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_come_in_order_and_errors_come_out() {
        assert_eq!(each(20, |i| Ok(i * i)).unwrap(), (0..20).map(|i| i * i).collect::<Vec<_>>());
        let refuse = |i| if i == 3 { Err(RunError::BadInput("three".into())) } else { Ok(i) };
        assert_eq!(each(20, refuse).unwrap_err().to_string(), "three");
        assert_eq!(each(0, Ok).unwrap(), Vec::<usize>::new());
    }
}
