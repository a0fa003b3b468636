/** Small choices kept between visits. A page opened from disk may not be allowed to keep anything; then they last as long as it. */
const here = new Map<string, string>();

export function recall(key: string): string | null {
  try {
    return here.get(key) ?? window.localStorage.getItem(`fender.${key}`);
  } catch {
    return here.get(key) ?? null;
  }
}

export function remember(key: string, value: string): void {
  here.set(key, value);
  try {
    window.localStorage.setItem(`fender.${key}`, value);
  } catch {
    // Kept in `here`.
  }
}
