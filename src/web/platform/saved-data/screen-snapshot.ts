import { findPage } from '#contract/pages.ts';

/** A screen as it was last seen, to be painted before the app runs. It is as private as what is on it. */
export type ScreenSnapshot = {
  /** The build whose styles it was made with. */
  build: string;
  html: string;
};

/** Of what is encrypted; another one is not read. */
export const SNAPSHOT_SCHEMA = 1;

/** What the screens mark for it: the text to show instead of one that depends on the moment or on who looks. */
export const STAND_IN = 'data-paint';
/** On a `<time>`, told by its age: `saved` or `balance`. */
export const AGE = 'data-age';
/** An instant after which the snapshot says what is no longer so. */
export const TRUE_UNTIL = 'data-true-until';

/** What names the snapshot of an address; null for screens that have none. */
export function snapshotName({ pathname, search }: Pick<Location, 'pathname' | 'search'>): string | null {
  if (!findPage('portal', pathname)?.hasSnapshot) return null;
  const params = new URLSearchParams(search);
  // Where the installed app says that it was started from.
  params.delete('source');
  return `snapshot:${pathname}?${params}`;
}

export function isScreenSnapshot(value: unknown): value is ScreenSnapshot {
  if (typeof value !== 'object' || value === null) return false;
  const { build, html } = value as Partial<ScreenSnapshot>;
  return typeof build === 'string' && typeof html === 'string';
}
