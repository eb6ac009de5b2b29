import { readStoredJson, removeStored, writeStored } from '../browser-storage.ts';
import { createStore } from '../create-store.ts';
import { ownerFingerprint } from '../session/owner-fingerprint.ts';

/** Values by field name. Must not contain passwords, codes or card data. */
export type FieldDraft = Readonly<Record<string, string>>;
type Keeper = { owner: string | null; read: () => FieldDraft | null };
type Kept = { path: string; owner: string | null; at: number; drafts: Record<string, FieldDraft> };

const KEY = 'drafts';
/** Milliseconds after which a draft expires. */
const LIFE = 30 * 60 * 1000;

const keepers = new Map<string, Keeper>();
/** The drafts of the page before this one. */
const found = createStore<Kept | null>(null);

/** What the same customer typed into this form, on the same screen, before a reload. */
export function findDraft(name: string): FieldDraft | null {
  if (found.get() === null) found.set(takeKept());
  const kept = found.get();
  if (kept?.path !== window.location.pathname || kept.owner !== ownerFingerprint()) return null;
  return kept.drafts[name] ?? null;
}

/** Call it once a form shows the draft, so that the next one on the same screen starts empty. */
export function forgetDraft(name: string): void {
  found.set((kept) => {
    if (kept === null) return null;
    const { [name]: _, ...drafts } = kept.drafts;
    return { ...kept, drafts };
  });
}

/**
 * Stores a form's input when the page is left or hidden, because phones end hidden tabs. A reload in this tab finds
 * it. `read` returns null if there is nothing to keep.
 */
export function keepDraft(name: string, read: Keeper['read']): () => void {
  const keeper = { owner: ownerFingerprint(), read };
  if (keepers.size === 0) {
    window.addEventListener('pagehide', writeKept);
    window.addEventListener('pageshow', forgetKept);
    document.addEventListener('visibilitychange', keepUnseen);
  }
  keepers.set(name, keeper);
  return () => {
    if (keepers.get(name) === keeper) keepers.delete(name);
    if (keepers.size > 0) return;
    window.removeEventListener('pagehide', writeKept);
    window.removeEventListener('pageshow', forgetKept);
    document.removeEventListener('visibilitychange', keepUnseen);
  };
}

function writeKept(): void {
  const owner = ownerFingerprint();
  const drafts: Record<string, FieldDraft> = {};
  for (const [name, keeper] of keepers) {
    const draft = keeper.owner === owner ? keeper.read() : null;
    if (draft !== null) drafts[name] = draft;
  }
  if (Object.keys(drafts).length === 0) return;
  const kept: Kept = { path: window.location.pathname, owner, at: Date.now(), drafts };
  writeStored(KEY, JSON.stringify(kept), 'sessionStorage');
}

function keepUnseen(): void {
  if (document.visibilityState === 'hidden') writeKept();
  else forgetKept();
}

/** The page is visible again with its input. */
function forgetKept(): void {
  removeStored(KEY, 'sessionStorage');
}

function takeKept(): Kept | null {
  const kept = readStoredJson(KEY, 'sessionStorage') as Kept | null;
  forgetKept();
  return kept !== null && Math.abs(Date.now() - kept.at) < LIFE ? kept : null;
}
