export const PHONE = 390;
export const DESKTOP = 1280;

/** Sets the width of the screen in pixels; without it, tests run on one of 1024 pixels. */
export function setScreenWidth(width: number): void {
  const { happyDOM } = window as unknown as { happyDOM: { setViewport(size: { width: number }): void } };
  happyDOM.setViewport({ width });
}
