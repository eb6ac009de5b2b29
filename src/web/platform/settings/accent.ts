import { textOn } from '#domain/text-on-color.ts';
import { createHexReader } from '../hex-reader.ts';

/** What `ui/theme.css` needs to work out the text on an accent by itself. */
const RELATIVE_COLORS = 'color: color(from red xyz-d65 x y z)';

/** Makes a CSS colour the accent of the page, with text on it that is readable in every supported browser. */
export function applyAccent(accent: string): void {
  const { style } = document.documentElement;
  style.setProperty('--accent', accent);
  if (!CSS.supports(RELATIVE_COLORS))
    style.setProperty('--on-accent-fallback', textOn(createHexReader()(accent)));
}
