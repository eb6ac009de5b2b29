import { findPageIn } from '#contract/page.ts';
import { SNAPSHOT_STYLES } from '#contract/page-elements.ts';
import { portalPageTable } from '#contract/portal-pages.ts';
import { pageLanguage } from '#web/language/page-language.ts';

/** The last markup of a screen, painted before the app runs. As private as the screen itself. */
export type ScreenSnapshot = {
  /** The version of the styles that the markup uses. */
  styles: string;
  html: string;
};

/** The version of the encrypted data. Other versions are not read. */
export const SNAPSHOT_SCHEMA = 2;

/** The text that the snapshot shows instead of one that depends on the time or the viewer. */
export const PLACEHOLDER = 'data-paint';
/** Marks a `<time>` that is shown as an age: `saved`, `checked` or `balance`. */
export const AGE = 'data-age';
/** When the snapshot's content becomes wrong. */
export const VALID_UNTIL = 'data-true-until';

/** Names the snapshot of an address in the page's language; null if the screen has none. */
export function snapshotName({ pathname, search }: Pick<Location, 'pathname' | 'search'>): string | null {
  if (!findPageIn(portalPageTable, pathname)?.hasSnapshot) return null;
  const params = new URLSearchParams(search);
  // Where the installed app was started from.
  params.delete('source');
  return `snapshot:${pageLanguage()}:${pathname}?${params}`;
}

export function isScreenSnapshot(value: unknown): value is ScreenSnapshot {
  if (typeof value !== 'object' || value === null) return false;
  const { styles, html } = value as Partial<ScreenSnapshot>;
  return typeof styles === 'string' && typeof html === 'string';
}

/** The version of this page's styles. It outlives releases that leave them as they are. */
export function snapshotStyles(): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="${SNAPSHOT_STYLES}"]`)?.content ?? '';
}
