/** The replay as a video: played once from the start while the browser records the canvas. */
import type { App } from "../app/app";
import type { View3D } from "../scene/view3d";
import { h } from "../ui/dom";
import { fileName, save } from "./save";

const TYPES = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"];
const RATE = 30;

export function startVideo(app: App, view: View3D): void {
  const type = typeof MediaRecorder === "undefined" ? undefined : TYPES.find((t) => MediaRecorder.isTypeSupported(t));
  const { clock } = app;
  if (!type || !("captureStream" in view.canvas)) return app.note("This browser cannot record video.");
  if (!(clock.end > clock.start)) return app.note("There is nothing to record yet.");

  const stream = view.canvas.captureStream(RATE);
  const recorder = new MediaRecorder(stream, { mimeType: type, videoBitsPerSecond: 8e6 });
  const pieces: Blob[] = [];
  let keep = true;
  const before = { time: clock.time, loop: clock.loop.get() };

  const bar = h("progress", { max: 1, value: 0, "aria-label": "Progress of the recording" });
  const left = h("span", { class: "left" });
  const cancel = h("button", { type: "button", click: () => {
    keep = false;
    recorder.stop();
  } }, "Cancel");
  const box = h("div", { class: "card recording", role: "status" }, h("strong", {}, "Recording the replay"), bar, left, cancel);
  view.canvas.parentElement?.append(box);

  const offTime = clock.changed.on((time) => {
    bar.value = (time - clock.start) / (clock.end - clock.start);
    left.textContent = `${Math.ceil((clock.end - time) / clock.speed.get())} s left`;
  });
  const offPlaying = clock.playing.watch((on) => {
    if (!on && recorder.state === "recording" && clock.time >= clock.end) setTimeout(() => recorder.state === "recording" && recorder.stop(), 1000 / RATE + 50);
  });
  recorder.ondataavailable = (event) => pieces.push(event.data);
  recorder.onstop = () => {
    offTime();
    offPlaying();
    box.remove();
    for (const track of stream.getTracks()) track.stop();
    clock.playing.set(false);
    clock.loop.set(before.loop);
    clock.seek(before.time);
    if (keep) save(fileName(`${app.runs[0].name}.webm`), new Blob(pieces, { type: "video/webm" }));
  };
  clock.playing.set(false);
  clock.loop.set(false);
  clock.seek(clock.start);
  recorder.start(1000);
  clock.playing.set(true);
  cancel.focus();
}
