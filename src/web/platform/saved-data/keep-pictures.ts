import type { QueryClient } from '@tanstack/react-query';
import { connectionPhase } from '../connection/connection.ts';
import { whenIdle } from '../next-task.ts';
import { pageConfig } from '../page-config.ts';
import { PICTURE_SCHEMA, type Picture, pictureOf, STAND_IN, TRUE_UNTIL } from './picture.ts';
import { isSavedRecord, KEPT_FOR, type Records } from './records.ts';
import type { Seal } from './sealing.ts';

export type KeepPicturesOptions = {
  records: Records;
  findSeal: () => Promise<Seal>;
  /** Whether the owner is still whom this was opened for. */
  mayWrite: () => boolean;
};

const SETTLED_AFTER = 1000;
const LARGEST = 300_000;
const PICTURES_KEPT = 12;
/** What is open or under way is not what the screen looks like at its start. */
const UNSETTLED = 'dialog[open], [aria-expanded="true"], [aria-busy="true"]';

/**
 * Keeps how the readable screens last looked, whenever one has come to rest and when the page is left. It never
 * matters when it fails: the screen is then first painted by the app.
 */
export function keepPictures(client: QueryClient, options: KeepPicturesOptions): () => void {
  const { records, findSeal, mayWrite } = options;
  const kept = new Map<string, string>();
  const endings = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function keep(): Promise<void> {
    const name = pictureOf(window.location);
    const taken = name !== null && mayWrite() && client.isFetching() === 0 ? takePicture() : null;
    if (name === null || taken === null || kept.get(name) === taken.picture.html) return;
    kept.set(name, taken.picture.html);
    const { tag, nameOf, seal } = await findSeal();
    const sealedName = await nameOf(name);
    const { iv, box } = await seal(sealedName, taken.picture);
    const record = { schema: PICTURE_SCHEMA, tag, at: Date.now(), until: taken.until, iv, box };
    await records.putNewer(new Map([[sealedName, record]]), mayWrite);
  }

  const keepQuietly = () => void keep().catch(() => undefined);
  const unsubscribe = client.getQueryCache().subscribe(() => {
    clearTimeout(timer);
    timer = setTimeout(() => whenIdle(keepQuietly), SETTLED_AFTER);
  });
  const keepWhenHidden = () => {
    if (document.visibilityState === 'hidden') keepQuietly();
  };
  document.addEventListener('visibilitychange', keepWhenHidden, { signal: endings.signal });
  whenIdle(() => void removeSurplus(records, findSeal).catch(() => undefined));
  return () => {
    clearTimeout(timer);
    endings.abort();
    unsubscribe();
  };
}

function takePicture(): { picture: Picture; until: number | null } | null {
  const screen = document.querySelector('#root main')?.parentElement;
  if (!screen || connectionPhase.get() !== 'available' || screen.querySelector(UNSETTLED)) return null;
  const copy = screen.cloneNode(true) as HTMLElement;
  for (const element of copy.querySelectorAll(`[${STAND_IN}]`)) {
    element.textContent = element.getAttribute(STAND_IN);
  }
  const html = copy.outerHTML;
  if (html.length > LARGEST) return null;
  const ends = [...copy.querySelectorAll(`[${TRUE_UNTIL}]`)].map((element) =>
    Date.parse(element.getAttribute(TRUE_UNTIL) ?? ''),
  );
  return {
    picture: { build: pageConfig().version, html },
    until: ends.length === 0 ? null : Math.min(...ends),
  };
}

/** What this release cannot read goes as well: it would stand in the way of what it keeps. */
async function removeSurplus(records: Records, findSeal: () => Promise<Seal>): Promise<void> {
  const { tag } = await findSeal();
  const stored = await records.all();
  const newest = [...stored]
    .flatMap(([name, value]) => (isSavedRecord(value) ? [{ name, ...value }] : []))
    .filter((record) => record.tag === tag && record.schema === PICTURE_SCHEMA)
    .filter(({ at }) => Date.now() - at < KEPT_FOR)
    .toSorted((a, b) => b.at - a.at)
    .slice(0, PICTURES_KEPT)
    .map(({ name }) => name);
  await records.remove([...stored.keys()].filter((name) => !newest.includes(name)));
}
