/** Starts the page: reads its streams or connects to a live run, and keeps scene, plots and time together. */
import "uplot/dist/uPlot.min.css";
import "./style.css";
import type { App } from "./app/app";
import { Clock } from "./app/clock";
import { expose } from "./app/expose";
import { fontsReady } from "./app/fonts";
import { readPage } from "./app/page";
import { startTheme, theme } from "./app/theme";
import { Connection } from "./live/connection";
import { LiveControls } from "./live/controls";
import { Value } from "./model/emitter";
import { Run } from "./model/run";
import { verdict } from "./model/summary";
import { PlotBoard } from "./plots/board";
import { SceneOptions } from "./scene/layers";
import { View3D } from "./scene/view3d";
import { explain } from "./stream/errors";
import { h } from "./ui/dom";
import { helpDialog } from "./ui/help";
import { Inspector } from "./ui/inspector";
import { listenKeys } from "./ui/keys";
import { Layout } from "./ui/layout";
import { Overlay } from "./ui/overlay";
import { ScenePanel } from "./ui/scenepanel";
import { SummaryPanel } from "./ui/summary";
import { Timeline } from "./ui/timeline";
import { Toolbar } from "./ui/toolbar";

/** Decoding frames may keep the page from anything else for this long [ms]. */
const SLICE = 12;

document.getElementById("incomplete")?.remove();
startTheme();
const page = readPage();
const dialog = helpDialog(page.mode === "live");
document.body.append(dialog);
const layout = new Layout(document.getElementById("app") as HTMLElement, () => dialog.showModal());
const app: App = {
  mode: page.mode,
  runs: page.streams.length > 0 ? page.streams.map((stream, place) => new Run(place, stream.name)) : [new Run(0, "")],
  clock: new Clock(),
  options: new SceneOptions(),
  view: null,
  selection: new Value<ReturnType<App["selection"]["get"]>>(null),
  note: (text) => layout.note(text),
};
const [run] = app.runs;

let toolbar: Toolbar | null = null;
try {
  const view = new View3D(layout.viewport, app.options);
  app.view = view;
  new Overlay(app, view, layout.viewport);
  toolbar = new Toolbar(app, view, layout.viewport);
  theme.watch((value) => view.setTheme(value));
  view.onQuality = (name) => layout.message("quality", "info", "Detail reduced", `This computer draws slowly, so the scene is shown with ${name}.`);
} catch (error) {
  layout.viewport.classList.add("no-webgl");
  layout.message("webgl", "error", "No 3D view", `The scene needs WebGL, which this browser does not offer (${error instanceof Error ? error.message : error}). Plots and summary work all the same.`);
}
const board = new PlotBoard(app);
const summary = new SummaryPanel(app);
const scene = new ScenePanel(app);
const timeline = new Timeline(app);
new Inspector(app, layout.viewport);
layout.fill("plots", board.element);
layout.fill("summary", summary.element);
layout.fill("scene", scene.element);
layout.bottom.append(timeline.element);

// What was laid out by the widths of another font is laid out again.
void fontsReady.then(() => {
  timeline.showEvents();
  board.relayout();
});

/** First frame of the run is on the screen. */
let firstShown = (): void => {};
const ready = new Promise<void>((resolve) => {
  firstShown = resolve;
});
let shownOnce = false;

function showTime(): void {
  const time = app.clock.time;
  app.view?.show(run.frames?.at(time) ?? null, app.runs.slice(1).map((other) => other.frames?.at(time) ?? null));
}
app.clock.changed.on(showTime);

function badges(): void {
  const outcomes = run.summary?.expectations ?? [];
  const missed = outcomes.filter((o) => verdict(o) === "missed").length;
  const met = outcomes.filter((o) => verdict(o) === "met").length;
  const warnings = run.summary?.warnings?.length ?? 0;
  const badge = (kind: string, text: string) => h("button", { type: "button", class: `badge ${kind}`, click: () => layout.open("summary") }, text);
  layout.badges.replaceChildren(
    ...(outcomes.length > 0 ? [badge(missed > 0 ? "bad" : "good", missed > 0 ? `✗ ${missed} of ${outcomes.length} missed` : `✓ ${met} of ${outcomes.length} met`)] : []),
    ...(warnings > 0 ? [badge("warn", `! ${warnings} warning${warnings > 1 ? "s" : ""}`)] : []),
    ...(run.summary?.ended && run.summary.ended !== "complete" ? [badge("warn", run.summary.ended)] : []),
  );
}

/** A head has come: everything is of a new run. */
function begin(): void {
  const head = run.head;
  if (!head) return;
  document.title = head.title ? `${head.title} – Fender` : "Fender";
  layout.title.textContent = head.title;
  layout.title.title = head.name;
  app.clock.frames = run.frames;
  app.selection.set(null);
  app.view?.load(app.runs);
  toolbar?.begin();
  scene.begin();
  if (shownOnce) board.begin(true);
  summary.update();
  timeline.showEvents();
  badges();
}

/** Decodes what waits, in slices; not tied to drawing, which may be slow. The first run goes first. */
let decoding = false;
function decode(): void {
  decoding = false;
  for (const each of app.runs) if (each.pump(SLICE)) break;
  if (app.runs.some((each) => (each.frames?.waiting ?? 0) > 0)) decodeSoon();
}
function decodeSoon(): void {
  if (!decoding) setTimeout(decode, 0);
  decoding = true;
}

let moreFrames = false;

/** More frames are decoded. */
function grown(): void {
  const frames = run.frames;
  if (!frames || frames.count === 0) return;
  if (app.view) app.view.greatestTension = frames.greatest.tension;
  if (!measured || app.mode === "live") measure();
  if (!app.clock.newest.get()) app.clock.seek(app.clock.time);
  timeline.showTime();
}

let measured = false;
let measuredCount = 0;
function measure(): void {
  const count = run.frames?.count ?? 0;
  // A live run grows: look again whenever it has doubled.
  if (measured && count < 2 * measuredCount) return;
  measured = true;
  measuredCount = count;
  app.view?.measure(run);
}

function tellError(of: Run): void {
  if (!of.error) return;
  const until = of.frames && of.frames.count > 0 ? of.frames.end : null;
  const { title, text } = explain(of.error, until);
  layout.message(`stream-${of.place}`, "error", app.runs.length > 1 ? `${of.name}: ${title}` : title, text);
}

for (const each of app.runs) {
  each.changed.on((change) => {
    if (change === "head" && (each === run || run.head)) {
      measured = false;
      begin();
      if (each !== run) showTime();
    }
    if (change === "mesh") app.view?.loadMeshes();
    if (change === "samples") board.grow();
    if (change === "error") tellError(each);
    // Other runs may reach further than the first.
    if (change === "loaded" && each !== run) app.view?.measure(run);
    if (each !== run) return;
    if (change === "frames") moreFrames = true;
    if (change === "events") {
      timeline.showEvents();
      app.clock.changed.emit(app.clock.time);
    }
    if (change === "summary") {
      summary.update();
      badges();
    }
    if (change === "loaded") {
      // Now the whole replay is known: frame all of it, and say how far a broken one reaches.
      measured = false;
      measure();
      tellError(run);
      summary.update();
    }
  });
}

let controls: LiveControls | null = null;
let connection: Connection | null = null;
if (page.mode === "live") {
  // The query has the token of the server.
  const url = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/live${location.search}`;
  connection = new Connection(url, {
    opened: () => {
      run.restart();
      layout.clear("lost");
      if (controls) controls.connected = true;
      controls?.update();
    },
    data: (bytes) => {
      run.push(bytes);
      decodeSoon();
    },
    lost: (retry) => {
      if (controls) controls.connected = false;
      controls?.update();
      layout.message("lost", "warn", "Connection lost", `The run's server does not answer. What has arrived can still be replayed. Trying again in ${Math.round(retry / 1000)} s; if it was stopped, start “fender view” again and open the address that it prints.`);
    },
  });
  controls = new LiveControls(app, connection);
  layout.bottom.prepend(controls.element);
  run.changed.on((change) => {
    if (change !== "state") return;
    controls?.update();
    const failed = run.state?.state === "failed";
    if (failed) layout.message("failed", "error", "The run has failed", run.state?.message ?? "");
    else layout.clear("failed");
  });
  app.clock.follow();
  connection.connect();
} else {
  // The first run whole, so that its first frame is there at once; the others after it.
  page.streams.forEach((stream, i) => {
    setTimeout(() => {
      app.runs[i].push(stream.bytes());
      app.runs[i].end();
      // One record now, for the first frame; the rest after it is drawn.
      app.runs[i].pump(0);
      requestAnimationFrame(decodeSoon);
      // Without frames there is no first one to wait for.
      if (i === 0 && run.head && !run.frames?.count) board.begin(false);
    }, 0);
  });
  if (page.streams.length === 0) layout.message("empty", "error", "Nothing to show", "This page carries no recording. Reports of runs do: see report.html in a results folder, or “fender view”.");
}

listenKeys(app, {
  follow: () => toolbar?.toggleFollow(),
  fit: () => toolbar?.fit(),
  help: () => dialog.showModal(),
  side: () => layout.toggleSide(),
  jump: (direction) => timeline.jump(direction),
  live: connection && {
    toggle: () => controls?.toggle(connection as Connection),
    step: () => connection?.send({ command: "step" }),
    go: () => app.clock.follow(),
  },
});

let last = performance.now();
function frame(now: number): void {
  const elapsed = Math.max(0, (now - last) / 1000);
  last = now;
  if (moreFrames) {
    moreFrames = false;
    grown();
  }
  // After a hidden tab comes back the replay goes on where it was.
  app.clock.tick(elapsed > 1 ? 0 : elapsed);
  if (shownOnce) app.view?.draw(now, app.clock.playing.get() || app.clock.newest.get());
  else if (run.frames && run.frames.count > 0) {
    shownOnce = true;
    app.view?.draw(now, false);
    // Plots come after the first frame is on the screen: painting them takes as long as the frame.
    firstShown();
    requestAnimationFrame(() => setTimeout(() => board.begin(false), 0));
  }
  requestAnimationFrame(frame);
}
requestAnimationFrame(frame);
expose(app, board, Promise.all([ready, fontsReady]).then(() => {}));
