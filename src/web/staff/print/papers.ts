import { readStored, writeStored } from '#web/platform/browser-storage.ts';

/** What tickets are printed on at a desk. */
export const PAPERS = ['roll80', 'roll58', 'a4'] as const;
export type Paper = (typeof PAPERS)[number];

const KEY = 'ticket-paper';

/** A receipt printer leaves a margin at both sides of its roll. In millimeters. */
export const ROLLS: Readonly<Record<Exclude<Paper, 'a4'>, { width: number; printed: number }>> = {
  roll80: { width: 80, printed: 72 },
  roll58: { width: 58, printed: 48 },
};

/** The paper of this device's printer. */
export function readPaper(): Paper {
  const stored = readStored(KEY);
  return PAPERS.find((paper) => paper === stored) ?? 'roll80';
}

export function storePaper(paper: Paper): void {
  writeStored(KEY, paper);
}

const MM_PER_PIXEL = 25.4 / 96;
/** For the knife, below the last ticket. In millimeters. */
const FEED = 4;

/** The rule for a page as long as what is printed: `@page` has no length that follows the content. */
export function describePage(paper: Paper, height: number): string {
  if (paper === 'a4') return '@page { size: A4; margin: 12mm; }';
  const length = Math.ceil(height * MM_PER_PIXEL) + FEED;
  // A page that is wider than long would be turned.
  const { width } = ROLLS[paper];
  return `@page { size: ${width}mm ${Math.max(length, width + 1)}mm; margin: 0; }`;
}
