import { chooseTextColor } from '#domain/text-on-color.ts';
import { createHexReader } from '../hex-reader.ts';

/** Browsers that support it let `ui/theme.css` compute the text color. */
const RELATIVE_COLORS = 'color: color(from red xyz-d65 x y z)';

/** Sets the page's accent color, with readable text on it in every supported browser. */
export function applyAccent(accent: string): void {
  const { style } = document.documentElement;
  style.setProperty('--accent', accent);
  if (!CSS.supports(RELATIVE_COLORS))
    style.setProperty('--on-accent-fallback', chooseTextColor(createHexReader()(accent)));
}
