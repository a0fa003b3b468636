/** Light of the scene and where it is seen from, for what is drawn by programs of our own. */
import { Color, Vector3 } from "three";

export const eye = new Vector3();

export const light = {
  sun: { value: new Vector3(0, 0, 1) },
  sunStrength: { value: 2 },
  skyStrength: { value: 1 },
  groundColour: { value: new Color() },
};
