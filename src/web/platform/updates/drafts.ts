import { useEffect, useEffectEvent } from 'react';
import { readStoredJson, removeStored, writeStored } from '../browser-storage.ts';
import { createStore } from '../create-store.ts';
import { ownerFingerprint } from '../session/session.ts';

/** Values by field name. Must not contain passwords, codes or card data. */
export type FieldDraft = Readonly<Record<string, string>>;
type Source = { owner: string | null; read: () => FieldDraft | null };
type StoredDrafts = { path: string; owner: string | null; at: number; drafts: Record<string, FieldDraft> };

const KEY = 'drafts';
/** Milliseconds after which a draft expires. */
const LIFE = 30 * 60 * 1000;

const sources = new Map<string, Source>();
/** The drafts of the page before this one. */
const previousDrafts = createStore<StoredDrafts | null>(null);

/** Keeps a form's input over a reload. `read` returns null if there is nothing to store. */
export function usePersistedDraft(name: string, read: Source['read']): void {
  const readNow = useEffectEvent(read);
  useEffect(() => {
    forgetDraft(name);
    return persistDraft(name, () => readNow());
  }, [name]);
}

/** What the same customer typed into this form, on the same screen, before a reload. */
export function findDraft(name: string): FieldDraft | null {
  if (previousDrafts.get() === null) previousDrafts.set(takeStoredDrafts());
  const stored = previousDrafts.get();
  if (stored?.path !== window.location.pathname || stored.owner !== ownerFingerprint()) return null;
  return stored.drafts[name] ?? null;
}

/** Call it once a form shows the draft, so that the next one on the same screen starts empty. */
export function forgetDraft(name: string): void {
  previousDrafts.set((stored) => {
    if (stored === null) return null;
    const { [name]: _, ...drafts } = stored.drafts;
    return { ...stored, drafts };
  });
}

/**
 * Stores a form's input when the page is left or hidden, because phones end hidden tabs. A reload in this tab finds
 * it. `read` returns null if there is nothing to keep.
 */
export function persistDraft(name: string, read: Source['read']): () => void {
  const source = { owner: ownerFingerprint(), read };
  if (sources.size === 0) {
    window.addEventListener('pagehide', storeDrafts);
    window.addEventListener('pageshow', removeDrafts);
    document.addEventListener('visibilitychange', storeWhenHidden);
  }
  sources.set(name, source);
  return () => {
    if (sources.get(name) === source) sources.delete(name);
    if (sources.size > 0) return;
    window.removeEventListener('pagehide', storeDrafts);
    window.removeEventListener('pageshow', removeDrafts);
    document.removeEventListener('visibilitychange', storeWhenHidden);
  };
}

function storeDrafts(): void {
  const owner = ownerFingerprint();
  const drafts: Record<string, FieldDraft> = {};
  for (const [name, source] of sources) {
    const draft = source.owner === owner ? source.read() : null;
    if (draft !== null) drafts[name] = draft;
  }
  if (Object.keys(drafts).length === 0) return;
  const stored: StoredDrafts = { path: window.location.pathname, owner, at: Date.now(), drafts };
  writeStored(KEY, JSON.stringify(stored), 'sessionStorage');
}

function storeWhenHidden(): void {
  if (document.visibilityState === 'hidden') storeDrafts();
  else removeDrafts();
}

/** The page is visible again with its input. */
function removeDrafts(): void {
  removeStored(KEY, 'sessionStorage');
}

function takeStoredDrafts(): StoredDrafts | null {
  const stored = readStoredJson(KEY, 'sessionStorage') as StoredDrafts | null;
  removeDrafts();
  return stored !== null && Math.abs(Date.now() - stored.at) < LIFE ? stored : null;
}
