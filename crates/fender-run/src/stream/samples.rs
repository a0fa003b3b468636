//! Samples of signals in a stream, whole or thinned.

use super::varint::{Bytes, put};
use super::{SAMPLES, record};

/// Most samples per column of a record that is read: more is damage.
const MAX_ROWS: u64 = 1 << 28;

/// Columns that share their times.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Samples {
    /// Index of each column's signal in the head.
    pub signals: Vec<u32>,
    /// Times [s].
    pub times: Vec<f64>,
    /// Values of each column; NaN for none.
    pub values: Vec<Vec<f32>>,
}

/// Adds a record of columns that share their times; nothing if there are no samples.
pub fn put_columns(stream: &mut Vec<u8>, times: &[f64], columns: &[(u32, &[f64])]) {
    if times.is_empty() || columns.is_empty() {
        return;
    }
    let mut payload = Vec::with_capacity(16 + 5 * columns.len() + times.len() * (8 + 4 * columns.len()));
    put(&mut payload, columns.len() as u64);
    for (signal, _) in columns {
        put(&mut payload, u64::from(*signal));
    }
    put(&mut payload, times.len() as u64);
    for time in times {
        payload.extend(time.to_le_bytes());
    }
    for (_, values) in columns {
        for i in 0..times.len() {
            // One pattern for "none", whatever it was in memory, and for what is too large to be drawn.
            let value = values.get(i).map(|v| *v as f32).filter(|v| v.is_finite()).unwrap_or(f32::NAN);
            payload.extend(value.to_le_bytes());
        }
    }
    record::put(stream, SAMPLES, &payload);
}

/// Reads a record's payload. `None` if it is damaged.
pub fn decode(payload: &[u8]) -> Option<Samples> {
    let mut bytes = Bytes(payload);
    let columns = bytes.count(1)?;
    let signals = (0..columns).map(|_| bytes.index()).collect::<Option<Vec<u32>>>()?;
    let rows = usize::try_from(bytes.whole().filter(|n| *n <= MAX_ROWS)?).ok()?;
    if bytes.0.len() != rows * (8 + 4 * columns) {
        return None;
    }
    let times = (0..rows).map(|_| bytes.double()).collect::<Option<Vec<f64>>>()?;
    let mut column = || (0..rows).map(|_| bytes.take().map(f32::from_le_bytes)).collect::<Option<Vec<f32>>>();
    let values = (0..columns).map(|_| column()).collect::<Option<Vec<_>>>()?;
    Some(Samples { signals, times, values })
}

/// Thins a series to at most `most` samples: the first, lowest, highest and last of each bucket of equal numbers, at their true
/// times, so that the line goes from bucket to bucket as it does in truth.
pub fn thin(times: &[f64], values: &[f64], most: usize) -> (Vec<f64>, Vec<f64>) {
    let defined: Vec<(f64, f64)> =
        times.iter().copied().zip(values.iter().copied()).filter(|(_, v)| v.is_finite()).collect();
    if defined.len() <= most.max(4) {
        return defined.into_iter().unzip();
    }
    let buckets = (most / 4).max(1);
    let size = defined.len().div_ceil(buckets);
    let mut kept = Vec::new();
    for (number, bucket) in defined.chunks(size).enumerate() {
        let (mut low, mut high) = (0, 0);
        for (i, (_, value)) in bucket.iter().enumerate() {
            if *value < bucket[low].1 {
                low = i;
            }
            if *value > bucket[high].1 {
                high = i;
            }
        }
        kept.extend([0, low.min(high), low.max(high), bucket.len() - 1].map(|i| number * size + i));
    }
    kept.dedup();
    kept.into_iter().map(|i| defined[i]).unzip()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::record::{begin, records};

    #[test]
    fn columns_come_back() {
        let mut stream = begin();
        put_columns(&mut stream, &[0.0, 0.1, 0.2], &[(3, &[1.0, f64::NAN, 3.0]), (0, &[0.5, 1e300, -1.0])]);
        put_columns(&mut stream, &[], &[(1, &[])]);
        let mut all = records(&stream).unwrap();
        let samples = decode(&all.next().unwrap().payload().unwrap()).unwrap();
        assert!(all.next().is_none());
        assert_eq!((samples.signals, samples.times), (vec![3, 0], vec![0.0, 0.1, 0.2]));
        assert_eq!((samples.values[0][0], samples.values[0][2], samples.values[1][2]), (1.0, 3.0, -1.0));
        assert!(samples.values[0][1].is_nan() && samples.values[1][1].is_nan());
    }

    #[test]
    fn a_damaged_record_is_none() {
        assert_eq!(decode(&[1, 0, 0xff, 0xff, 0xff, 0xff, 0x7f]), None);
        assert_eq!(decode(&[200, 200, 1]), None);
        assert_eq!(decode(&[1, 0, 1, 0, 0]), None);
    }

    #[test]
    fn thinning_keeps_peaks_at_their_times() {
        let times: Vec<f64> = (0..10_000).map(|i| f64::from(i) * 1e-3).collect();
        let mut values: Vec<f64> = times.iter().map(|t| t.sin()).collect();
        values[4321] = 9.0;
        values[8765] = -9.0;
        values[7] = f64::NAN;
        let (t, v) = thin(&times, &values, 500);
        assert!(t.len() <= 500 && t.len() > 240, "{}", t.len());
        assert!(t.windows(2).all(|w| w[0] < w[1]));
        let at = |value: f64| t[v.iter().position(|x| *x == value).unwrap()];
        assert_eq!((at(9.0), at(-9.0)), (times[4321], times[8765]));
        assert_eq!((t[0], t[t.len() - 1]), (times[0], times[9999]));
        // The line leaves a bucket at its last sample and enters the next at its first.
        let across = t.windows(2).filter(|w| w[1] - w[0] < 1.5e-3).count();
        assert!(across >= 124, "{across}");
        assert_eq!(thin(&times[..100], &values[..100], 500).0.len(), 99);
    }
}
