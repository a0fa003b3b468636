/** Coloured line segments that change every frame. */
import { BufferAttribute, BufferGeometry, type Color, DynamicDrawUsage, LineBasicMaterial, LineSegments, type Vector3 } from "three";

export class Lines {
  readonly object: LineSegments<BufferGeometry, LineBasicMaterial>;
  private positions = new Float32Array(600);
  private colours = new Float32Array(600);
  private filled = 0;

  constructor(over: boolean) {
    this.object = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ vertexColors: true, depthTest: !over, transparent: true }));
    this.object.frustumCulled = false;
    this.object.renderOrder = over ? 5 : 0;
    this.allocate();
  }

  private allocate(): void {
    this.object.geometry.dispose();
    this.object.geometry = new BufferGeometry();
    this.object.geometry.setAttribute("position", new BufferAttribute(this.positions, 3).setUsage(DynamicDrawUsage));
    this.object.geometry.setAttribute("color", new BufferAttribute(this.colours, 3).setUsage(DynamicDrawUsage));
  }

  begin(): void {
    this.filled = 0;
  }

  add(from: Vector3, to: Vector3, colour: Color): void {
    if (this.filled + 6 > this.positions.length) {
      const [positions, colours] = [this.positions, this.colours];
      this.positions = new Float32Array(2 * positions.length);
      this.colours = new Float32Array(2 * colours.length);
      this.positions.set(positions);
      this.colours.set(colours);
      this.allocate();
    }
    from.toArray(this.positions, this.filled);
    to.toArray(this.positions, this.filled + 3);
    colour.toArray(this.colours, this.filled);
    colour.toArray(this.colours, this.filled + 3);
    this.filled += 6;
  }

  end(): void {
    this.object.visible = this.filled > 0;
    this.object.geometry.setDrawRange(0, this.filled / 3);
    this.object.geometry.attributes.position.needsUpdate = true;
    this.object.geometry.attributes.color.needsUpdate = true;
  }
}
