/**
 * Black or white, whichever has more contrast on a color (`#rrggbb`). At luminance 0.179 both have a contrast of
 * 4.58:1, so the choice always passes WCAG AA.
 */
export function chooseTextColor(color: string): '#000000' | '#ffffff' {
  return luminance(color) > 0.179 ? '#000000' : '#ffffff';
}

/** Relative luminance as WCAG defines it. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
