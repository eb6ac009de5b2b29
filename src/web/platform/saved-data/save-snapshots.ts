import type { QueryClient } from '@tanstack/react-query';
import { connectionPhase } from '../connection/connection.ts';
import { whenIdle } from '../when-idle.ts';
import type { Encryptor } from './encryption.ts';
import { isSavedRecord, MAX_AGE, type Records } from './records.ts';
import {
  PLACEHOLDER,
  type ScreenSnapshot,
  SNAPSHOT_SCHEMA,
  snapshotName,
  snapshotStyles,
  VALID_UNTIL,
} from './screen-snapshot.ts';

export type SaveSnapshotsOptions = {
  records: Records;
  findEncryptor: () => Promise<Encryptor>;
  /** False once the owner has changed. */
  mayWrite: () => boolean;
};

const SETTLE_TIME = 1000;
const MAX_LENGTH = 300_000;
const MAX_SNAPSHOTS = 12;
/** How much of a screen is saved, in viewports. More would delay the first frame. */
const VISIBLE_PART = 1.5;
/** A screen with open or busy parts is not in its initial state. */
const NOT_INITIAL = 'dialog[open], [aria-expanded="true"], [aria-busy="true"]';

/**
 * Saves snapshots of readable screens when they have settled and when the page is hidden. If it fails, the app does
 * the first paint.
 */
export function saveSnapshots(client: QueryClient, options: SaveSnapshotsOptions): () => void {
  const { records, findEncryptor, mayWrite } = options;
  const saved = new Map<string, string>();
  const stopped = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function save(): Promise<void> {
    const name = snapshotName(window.location);
    const current = name !== null && mayWrite() && client.isFetching() === 0 ? takeSnapshot() : null;
    if (name === null || current === null || saved.get(name) === current.snapshot.html) return;
    saved.set(name, current.snapshot.html);
    const { tag, nameRecord, encrypt } = await findEncryptor();
    const recordName = await nameRecord(name);
    const { iv, ciphertext } = await encrypt(recordName, current.snapshot);
    const record = { schema: SNAPSHOT_SCHEMA, tag, at: Date.now(), until: current.until, iv, ciphertext };
    await records.putNewer(recordName, record, mayWrite);
  }

  const saveQuietly = () => void save().catch(() => undefined);
  const unsubscribe = client.getQueryCache().subscribe(() => {
    clearTimeout(timer);
    timer = setTimeout(() => whenIdle(saveQuietly), SETTLE_TIME);
  });
  const saveWhenHidden = () => {
    if (document.visibilityState === 'hidden') saveQuietly();
  };
  document.addEventListener('visibilitychange', saveWhenHidden, { signal: stopped.signal });
  whenIdle(() => void removeSurplus(records, findEncryptor).catch(() => undefined));
  return () => {
    clearTimeout(timer);
    stopped.abort();
    unsubscribe();
  };
}

function takeSnapshot(): { snapshot: ScreenSnapshot; until: number | null } | null {
  const main = document.querySelector('#root main');
  const screen = main?.parentElement;
  if (!main || !screen || connectionPhase.get() !== 'available' || screen.querySelector(NOT_INITIAL))
    return null;
  const copy = screen.cloneNode(true) as HTMLElement;
  for (const element of copy.querySelectorAll(`[${PLACEHOLDER}]`)) {
    element.textContent = element.getAttribute(PLACEHOLDER);
  }
  const limit = window.innerHeight * VISIBLE_PART - window.scrollY;
  removeHidden(main, copy.querySelector('main'), limit);
  const html = copy.outerHTML;
  if (html.length > MAX_LENGTH) return null;
  const ends = [...copy.querySelectorAll(`[${VALID_UNTIL}]`)].map((element) =>
    Date.parse(element.getAttribute(VALID_UNTIL) ?? ''),
  );
  return {
    snapshot: { styles: snapshotStyles(), html },
    until: ends.length === 0 ? null : Math.min(...ends),
  };
}

/** Removes from a copy what begins below `limit` in the original, in pixels from the viewport's top. */
function removeHidden(original: Element, copy: Element | null, limit: number): void {
  const copiedParts = [...(copy?.children ?? [])];
  for (const [index, part] of [...original.children].entries()) {
    const copiedPart = copiedParts[index];
    if (copiedPart === undefined || /fixed|sticky/.test(getComputedStyle(part).position)) continue;
    if (part.getBoundingClientRect().top > limit) copiedPart.remove();
    else removeHidden(part, copiedPart, limit);
  }
}

/** Deletes snapshots beyond the limit, and those that this release cannot show. */
async function removeSurplus(records: Records, findEncryptor: () => Promise<Encryptor>): Promise<void> {
  const { tag } = await findEncryptor();
  const stored = await records.all();
  const newest = [...stored]
    .flatMap(([name, value]) => (isSavedRecord(value) ? [{ name, ...value }] : []))
    .filter((record) => record.tag === tag && record.schema === SNAPSHOT_SCHEMA)
    .filter(({ at }) => Date.now() - at < MAX_AGE)
    .toSorted((a, b) => b.at - a.at)
    .slice(0, MAX_SNAPSHOTS)
    .map(({ name }) => name);
  await records.remove([...stored.keys()].filter((name) => !newest.includes(name)));
}
