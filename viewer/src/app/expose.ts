/** What tests (and curious people in the console) can ask the page: see README.md. */
import type { PlotBoard } from "../plots/board";
import type { App } from "./app";

export interface FenderApi {
  ready: Promise<void>;
  time(): number;
  seek(time: number): void;
  pose(body: string): { position: number[]; orientation: number[] } | null;
  loop(name: string): number[][] | null;
  plotValue(signal: string): number | null;
  arrows(): number;
  patches(): number;
  fps(): number;
  state(): {
    mode: string; playing: boolean; newest: boolean; loaded: boolean; frames: number; end: number; quality: string; loop: boolean; speed: number;
    live: string | null; theme: string; selection: string | null; attached: string;
  };
}

declare global {
  interface Window {
    fender: FenderApi;
  }
}

export function expose(app: App, board: PlotBoard, ready: Promise<void>): void {
  const { clock, runs } = app;
  const [run] = runs;
  window.fender = {
    ready,
    time: () => clock.time,
    seek: (time) => clock.seek(time),
    pose: (body) => app.view?.pose(run.body(body)) ?? null,
    loop: (name) => app.view?.loop(name) ?? null,
    plotValue: (signal) => board.shown(signal),
    arrows: () => app.view?.arrows ?? 0,
    patches: () => app.view?.patchesDrawn ?? 0,
    fps: () => app.view?.fps ?? 0,
    state: () => {
      const picked = app.selection.get();
      return {
        mode: app.mode, playing: clock.playing.get(), newest: clock.newest.get(), loaded: run.frames !== null && run.frames.waiting === 0 && board.begun,
        frames: run.frames?.count ?? 0, end: clock.end, quality: app.view?.quality ?? "none", loop: clock.loop.get(), speed: clock.speed.get(),
        live: run.state?.state ?? null, theme: document.documentElement.dataset.theme ?? "",
        selection: picked === null ? null : picked.kind === "body" ? run.head?.bodies[picked.body]?.name ?? null : "contact",
        attached: app.view?.rig.attached.kind ?? "none",
      };
    },
  };
}
