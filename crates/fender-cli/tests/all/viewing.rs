//! `fender view`: pages of finished runs, and live runs that are watched, steered and left.
#![cfg(unix)]

use crate::common::{self, code, fender, flat, folder, json, run, scenario};
use fender_run::stream::{self, Stream};
use serde_json::Value;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};
use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, WebSocket};

/// A server that is stopped at the end, however the test ends.
struct Server {
    child: Child,
    out: BufReader<ChildStdout>,
    address: String,
    /// The query with the token.
    query: String,
}

impl Server {
    fn start(dir: &Path, arguments: &[&str]) -> Self {
        let mut command = fender(dir);
        command.arg("view").args(arguments).args(["--no-open", "--port", "0"]);
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the command can be started");
        let mut out = BufReader::new(child.stdout.take().expect("it is piped"));
        let mut line = String::new();
        out.read_line(&mut line).expect("it prints its address");
        let parts = line.trim().strip_prefix("http://").and_then(|l| l.split_once('/'));
        let (address, query) = parts.unwrap_or_else(|| panic!("'{line}' is no address"));
        assert!(address.starts_with("127.0.0.1:") && query.starts_with("?token="), "{line}");
        Self { child, out, address: address.to_owned(), query: query.to_owned() }
    }

    /// Answer to a request with the token: the whole of it.
    fn get(&self, path: &str, headers: &str) -> String {
        self.get_as_stranger(&format!("{path}{}", self.query), headers)
    }

    /// Answer to a plain request.
    fn get_as_stranger(&self, path: &str, headers: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).expect("it listens");
        let host =
            if headers.contains("Host:") { String::new() } else { format!("Host: {}\r\n", self.address) };
        write!(stream, "GET {path} HTTP/1.1\r\n{host}{headers}Connection: close\r\n\r\n")
            .expect("it listens");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it answers");
        answer
    }

    fn watch(&self) -> Viewer {
        self.watch_from(None).expect("the socket opens")
    }

    fn watch_from(&self, origin: Option<&str>) -> Option<Viewer> {
        self.watch_with(&self.query, origin)
    }

    fn watch_with(&self, query: &str, origin: Option<&str>) -> Option<Viewer> {
        let stream = TcpStream::connect(&self.address).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_millis(20))).expect("it can be set");
        let mut request =
            format!("ws://{}/live{query}", self.address).into_client_request().expect("it is an address");
        if let Some(origin) = origin {
            request.headers_mut().insert("Origin", origin.parse().expect("it is a header"));
        }
        let mut attempt = tungstenite::client(request, stream);
        loop {
            match attempt {
                Ok((socket, _)) => return Some(Viewer { socket, bytes: Vec::new() }),
                Err(tungstenite::HandshakeError::Interrupted(half)) => attempt = half.handshake(),
                Err(tungstenite::HandshakeError::Failure(_)) => return None,
            }
        }
    }

    /// Sends a signal; gives the exit code and what was printed after the address.
    fn stop(mut self, signal: &str) -> (i32, String) {
        let kill = format!("kill -{signal} {}", self.child.id());
        assert!(Command::new("sh").args(["-c", &kill]).status().expect("sh is there").success());
        let begin = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("it can be asked") {
                break status;
            }
            assert!(begin.elapsed() < Duration::from_secs(20), "it does not end");
            std::thread::sleep(Duration::from_millis(5));
        };
        let mut text = String::new();
        self.out.read_to_string(&mut text).expect("it is text");
        self.child.stderr.take().expect("it is piped").read_to_string(&mut text).expect("it is text");
        (status.code().unwrap_or(-1), text)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A browser, as far as the socket goes.
struct Viewer {
    socket: WebSocket<TcpStream>,
    bytes: Vec<u8>,
}

impl Viewer {
    fn say(&mut self, text: &str) {
        self.socket.send(Message::text(text)).expect("it listens");
    }

    fn command(&mut self, name: &str) {
        self.say(&format!(r#"{{"command":"{name}"}}"#));
    }

    /// Reads for a time.
    fn read_for(&mut self, time: Duration) {
        let begin = Instant::now();
        while begin.elapsed() < time {
            self.read();
        }
    }

    fn read(&mut self) {
        match self.socket.read() {
            Ok(Message::Binary(piece)) => self.bytes.extend_from_slice(&piece),
            Ok(_) => {}
            Err(tungstenite::Error::Io(e))
                if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
            Err(e) => panic!("the socket failed: {e}"),
        }
    }

    /// Reads until something is seen.
    fn until(&mut self, what: &str, seen: impl Fn(&Stream) -> bool) -> Stream {
        let begin = Instant::now();
        loop {
            self.read();
            if let Ok(stream) = stream::read(&self.bytes)
                && seen(&stream)
            {
                return stream;
            }
            assert!(begin.elapsed() < Duration::from_secs(30), "not seen: {what}");
        }
    }

    fn until_state(&mut self, state: &str) -> Stream {
        self.until(state, |s| s.state.as_ref().is_some_and(|s| s["state"] == state))
    }

    /// Everything so far.
    fn stream(&self) -> Stream {
        stream::read(&self.bytes).expect("it has a head")
    }
}

fn time(stream: &Stream) -> f64 {
    stream.state.as_ref().and_then(|s| s["time"].as_f64()).expect("a state was told")
}

fn long(dir: &Path) {
    scenario(dir, &[("\"0.5 s\"", "\"60 s\"")]);
}

#[test]
fn a_live_run_is_watched_paused_stepped_and_resumed() {
    let dir = folder();
    long(dir.path());
    let server = Server::start(dir.path(), &["ball.toml"]);
    let mut viewer = server.watch();
    let seen = viewer.until("frames, samples and a state", |s| {
        s.frames.len() > 5 && s.samples.len() > 2 && s.state.is_some()
    });
    assert_eq!((seen.head.title.as_str(), seen.head.bodies.len()), ("Ball on a floor", 2));
    assert_eq!(seen.state.as_ref().map(|s| s["speed"].clone()), Some(Value::from(1.0)));
    assert!(seen.frames.windows(2).all(|pair| pair[0].time < pair[1].time));

    viewer.command("pause");
    let paused = viewer.until_state("paused");
    viewer.read_for(Duration::from_millis(200));
    let frames = viewer.stream().frames.len();
    // The last frame is of the instant at which it stands.
    assert_eq!(viewer.stream().frames.last().map(|f| f.time), Some(time(&paused)));
    viewer.read_for(Duration::from_millis(400));
    assert_eq!(viewer.stream().frames.len(), frames, "frames while it was paused");

    for n in 1..=2 {
        viewer.command("step");
        let stepped = viewer.until("a step", |s| time(s) > time(&paused) + (f64::from(n) - 0.5) * 1e-4);
        assert!((time(&stepped) - time(&paused) - f64::from(n) * 1e-4).abs() < 1e-9);
        viewer.until("its frame", |s| s.frames.last().is_some_and(|f| f.time == time(&stepped)));
        viewer.read_for(Duration::from_millis(200));
        let after = viewer.stream();
        assert_eq!((time(&after), after.frames.len()), (time(&stepped), frames + n as usize));
    }

    viewer.command("resume");
    viewer.until("more frames", |s| {
        s.frames.len() > frames + 5 && s.state.as_ref().is_some_and(|s| s["state"] == "running")
    });
    let (code, text) = server.stop("INT");
    assert_eq!(code, 130, "{text}");
    assert!(text.contains("interrupted, results in results/ball-1"), "{text}");
    // What was watched is kept, and goes on to the end.
    let (code, text) = run(dir.path(), &["resume", "results/ball-1", "--quiet"]);
    assert_eq!(code, 0, "{text}");
}

#[test]
fn two_viewers_share_one_run_and_a_late_one_sees_everything() {
    let dir = folder();
    scenario(dir.path(), &[]);
    let server = Server::start(dir.path(), &["ball.toml", "--speed", "0.5"]);
    let mut first = server.watch();
    first.until("frames", |s| s.frames.len() > 3);
    let mut second = server.watch();
    second.until("frames", |s| s.frames.len() > 5);
    second.command("pause");
    first.until_state("paused");
    first.command("resume");
    second.say(r#"{"command":"speed","value":null}"#);
    let ended = [first.until_state("ended"), second.until_state("ended")];
    let late = server.watch().until_state("ended");
    let whole =
        stream::read(&std::fs::read(dir.path().join("results/ball-1/frames.bin")).expect("it is there"));
    let whole = whole.expect("it is a stream");
    for seen in ended.iter().chain([&late]) {
        assert_eq!(seen.state.as_ref().map(|s| s["speed"].clone()), Some(Value::Null));
        // Beside the regular frames there are those of instants that were looked at.
        let regular = |t: f64| seen.frames.iter().any(|f| f.time == t);
        assert!(whole.frames.iter().all(|f| regular(f.time)));
        assert_eq!(seen.summary.as_ref().map(|s| s["ended"].clone()), Some("complete".into()));
        assert_eq!(seen.events[0]["label"], "ball touches floor");
        let series = seen.series("ball.position.z").expect("it is recorded");
        assert_eq!(
            series.len(),
            common::shown(&dir.path().join("results/ball-1"))
                .series("ball.position.z")
                .map_or(0, |s| s.len())
        );
    }
    let (code, text) = server.stop("INT");
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("complete, results in results/ball-1"), "{text}");
}

/// Being watched, paused and stepped leaves no trace in the results.
#[test]
fn a_watched_run_has_the_results_of_one_that_is_not() {
    let dir = folder();
    scenario(dir.path(), &[]);
    let server = Server::start(dir.path(), &["ball.toml", "--out", "watched", "--speed", "max"]);
    let mut viewer = server.watch();
    viewer.command("step");
    viewer.command("step");
    viewer.command("resume");
    viewer.until_state("ended");
    assert_eq!(server.stop("TERM").0, 0);
    assert_eq!(run(dir.path(), &["run", "ball.toml", "--out", "alone", "--quiet"]).0, 0);
    for file in ["signals.parquet", "contacts.parquet", "frames.bin", "events.json"] {
        let read = |out: &str| std::fs::read(dir.path().join(out).join(file)).expect("it is there");
        assert!(read("watched") == read("alone"), "{file} differs");
    }
    let hash = |out: &str| json(&dir.path().join(out).join("summary.json"))["state_hash"].clone();
    assert_eq!(hash("watched"), hash("alone"));
}

#[test]
fn a_restart_begins_anew_in_the_next_folder_with_what_the_file_says_then() {
    let dir = folder();
    long(dir.path());
    let server = Server::start(dir.path(), &["ball.toml"]);
    let mut viewer = server.watch();
    viewer.until("frames", |s| s.frames.len() > 5);
    scenario(dir.path(), &[("Ball on a floor", "Another ball")]);
    viewer.command("restart");
    let again = viewer.until("the new head", |s| s.head.title == "Another ball" && !s.frames.is_empty());
    assert_eq!(again.frames[0].time, 0.0);
    viewer.until_state("ended");
    for (n, ended) in [(1, "interrupted"), (2, "complete")] {
        let summary = dir.path().join(format!("results/ball-{n}/summary.json"));
        assert_eq!(json(&summary)["ended"], ended);
    }
    // A mistake in the file is told, and the server goes on.
    scenario(dir.path(), &[("half_space", "half_plane")]);
    viewer.command("restart");
    let failed = viewer.until_state("failed");
    let message = failed.state.as_ref().map(|s| s["message"].to_string()).unwrap_or_default();
    assert!(message.contains("half_plane") || message.contains("shape"), "{message}");
    assert_eq!(server.stop("INT").0, 2);
}

#[test]
fn what_is_no_command_is_answered_and_changes_nothing() {
    let dir = folder();
    long(dir.path());
    let server = Server::start(dir.path(), &["ball.toml"]);
    let (mut viewer, mut other) = (server.watch(), server.watch());
    for (text, answer) in [
        ("rubbish", "not JSON"),
        ("{\"command\":\"explode\"}", "there is no command 'explode'"),
        ("{\"command\":\"speed\",\"value\":-1}", "a speed is a number"),
        ("[1,2,3]", "a command looks like"),
    ] {
        viewer.say(text);
        viewer.until(answer, |s| {
            s.state.as_ref().is_some_and(|s| {
                s["state"] == "running" && s["message"].as_str().is_some_and(|m| m.contains(answer))
            })
        });
    }
    viewer.socket.send(Message::binary(vec![0; 100])).expect("it listens");
    let frames = viewer.stream().frames.len();
    viewer.until("the run goes on", |s| s.frames.len() > frames + 3);
    // Others do not hear of it.
    let heard = other.until("frames", |s| s.frames.len() > 3);
    assert_eq!(heard.state.as_ref().map(|s| s["message"].clone()), Some(Value::Null));
}

#[test]
fn pages_of_other_sites_are_refused() {
    let dir = folder();
    long(dir.path());
    let server = Server::start(dir.path(), &["ball.toml"]);
    assert!(server.watch_from(Some("http://evil.example")).is_none());
    assert!(server.watch_from(Some("null")).is_none());
    assert!(server.watch_from(Some(&format!("http://{}", server.address))).is_some());
    assert!(server.get("/", "Host: evil.example\r\n").starts_with("HTTP/1.1 403"));
    let page = server.get("/", "");
    assert!(
        page.starts_with("HTTP/1.1 200")
            && page.contains(r#"{"mode":"live"}"#)
            && page.contains("Ball on a floor")
    );
    let missing = server.get("/etc/passwd", "");
    assert!(missing.starts_with("HTTP/1.1 404") && missing.contains("nothing at this address"), "{missing}");
}

/// Another user of the machine can connect, but does not know the address.
#[test]
fn who_does_not_know_the_token_neither_sees_nor_steers() {
    let dir = folder();
    long(dir.path());
    let server = Server::start(dir.path(), &["ball.toml"]);
    let short = &server.query[..server.query.len() - 1];
    for path in ["/", "/?token=", "/live", &format!("/{short}")] {
        let answer = server.get_as_stranger(path, "");
        assert!(answer.starts_with("HTTP/1.1 403") && answer.contains("token"), "{path}: {answer}");
        assert!(!answer.contains("Ball on a floor"), "{answer}");
    }
    for query in ["", short, "?token="] {
        assert!(server.watch_with(query, None).is_none(), "{query}");
    }
    let page = server.get("/", "").to_lowercase();
    for header in [
        "content-security-policy: default-src 'none'",
        "frame-ancestors 'none'",
        &format!("connect-src 'self' ws://{}", server.address),
        "x-frame-options: deny",
        "referrer-policy: no-referrer",
    ] {
        assert!(page.contains(header), "no {header}");
    }
    // A token of the user's own, so that an address stays the same.
    let (code, text) = {
        let mut command = fender(dir.path());
        command.args(["view", "ball.toml", "--no-open"]).env("FENDER_VIEW_TOKEN", "too short");
        let output = command.output().expect("it runs");
        (code(&output), flat(&output))
    };
    assert_eq!(code, 2, "{text}");
    assert!(text.contains("FENDER_VIEW_TOKEN must have at least 16"), "{text}");
}

/// Connections that say nothing take no file descriptors from the run.
#[test]
fn too_many_connections_do_not_end_the_run() {
    let dir = folder();
    scenario(dir.path(), &[("\"0.5 s\"", "\"1 s\"")]);
    let server = Server::start(dir.path(), &["ball.toml", "--speed", "max", "--out", "out"]);
    let silent: Vec<_> = (0..100).filter_map(|_| TcpStream::connect(&server.address).ok()).collect();
    let fds = format!("/proc/{}/fd", server.child.id());
    let begin = Instant::now();
    while !dir.path().join("out/summary.json").exists() {
        if let Ok(fds) = std::fs::read_dir(&fds) {
            assert!(fds.count() < 90, "a descriptor for every connection");
        }
        assert!(begin.elapsed() < Duration::from_mins(1), "the run does not end");
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(json(&dir.path().join("out/summary.json"))["ended"], "complete");
    drop(silent);
}

#[test]
fn a_finished_run_is_served_as_its_report() {
    let dir = folder();
    scenario(dir.path(), &[]);
    assert_eq!(run(dir.path(), &["run", "ball.toml", "--quiet"]).0, 0);
    let server = Server::start(dir.path(), &["results/ball-1"]);
    let answer = server.get("/", "");
    let (_, page) = answer.split_once("\r\n\r\n").expect("it has a body");
    let report = std::fs::read_to_string(dir.path().join("results/ball-1/report.html")).expect("it is there");
    assert!(page == report, "the page is not the report");
    assert!(server.get("/live", "").starts_with("HTTP/1.1 404"));
    assert_eq!(server.stop("INT").0, 0);
}

#[test]
fn what_cannot_be_viewed_is_told() {
    let dir = folder();
    scenario(dir.path(), &[]);
    let empty = dir.path().join("empty");
    std::fs::create_dir(&empty).expect("a folder can be made");
    let (code, text) = run(dir.path(), &["view", "empty", "--no-open"]);
    assert_eq!(code, 2, "{text}");
    assert!(text.contains("neither results nor a scenario.toml"), "{text}");
    let (code, text) = run(dir.path(), &["view", "bouncing-bal", "--no-open"]);
    assert_eq!(code, 2, "{text}");
    assert!(text.contains("did you mean 'bouncing-ball'"), "{text}");
    for (arguments, part) in [
        (&["ball.toml", "--set", "height=3 kg"][..], "expected"),
        (&["ball.toml", "--speed", "0"], "0.001 to 1000, or max"),
    ] {
        let (code, text) = run(dir.path(), &[&["view", "--no-open"], arguments].concat());
        assert_eq!(code, 2, "{text}");
        assert!(text.contains(part), "{text}");
    }
    assert_eq!(run(dir.path(), &["run", "ball.toml", "--quiet", "--out", "out"]).0, 0);
    let (code, text) = run(dir.path(), &["view", "out", "--speed", "2", "--no-open"]);
    assert_eq!(code, 2, "{text}");
    let (code, text) = run(dir.path(), &["view", "ball.toml", "--out", "out", "--no-open"]);
    assert_eq!(code, 2, "{text}");
    assert!(text.contains("not empty"), "{text}");
    std::fs::write(dir.path().join("out/frames.bin"), "FENDERFR\u{1}\0\0\0").expect("it can be written");
    let (code, text) = run(dir.path(), &["view", "out", "--no-open"]);
    assert_eq!(code, 2, "{text}");
    assert!(text.contains("frames.bin") && text.contains("format 1"), "{text}");
}

#[test]
fn a_port_that_is_taken_is_exit_code_4_if_it_was_asked_for() {
    let dir = folder();
    scenario(dir.path(), &[]);
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("there is a port");
    let port = taken.local_addr().expect("it has an address").port().to_string();
    let output = fender(dir.path())
        .args(["view", "ball.toml", "--no-open", "--port", &port])
        .output()
        .expect("it runs");
    assert_eq!(code(&output), 4, "{}", flat(&output));
    assert!(flat(&output).contains(&format!("127.0.0.1:{port}")), "{}", flat(&output));
    assert!(!dir.path().join("results").exists(), "nothing was run");
}
