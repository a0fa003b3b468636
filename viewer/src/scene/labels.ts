/** Text that stays at places in the scene. */
import { type PerspectiveCamera, Vector3 } from "three";

export interface Label {
  at: Vector3;
  text: string;
}

/** More would cover the scene. */
const MOST = 60;
const projected = new Vector3();

export class Labels {
  private readonly elements: HTMLElement[] = [];

  constructor(private readonly parent: HTMLElement) {}

  update(labels: Label[], camera: PerspectiveCamera, width: number, height: number): void {
    const count = Math.min(labels.length, MOST);
    while (this.elements.length < count) {
      const element = document.createElement("div");
      element.className = "scene-label";
      this.parent.append(element);
      this.elements.push(element);
    }
    this.elements.forEach((element, i) => {
      const label = i < count ? labels[i] : null;
      if (label) projected.copy(label.at).project(camera);
      const shown = label !== null && Math.abs(projected.z) < 1;
      element.hidden = !shown;
      if (!label || !shown) return;
      element.textContent = label.text;
      element.style.transform = `translate(${((projected.x + 1) / 2) * width}px, ${((1 - projected.y) / 2) * height}px) translate(-50%, -50%)`;
    });
  }
}
