import { useEffect, useState } from 'react';
import type { Contact } from '#web/platform/api/types.ts';
import { onSessionCleared } from '#web/platform/session/session.ts';
import { draftStore } from '../draft.ts';

export type OwnContact = readonly [contact: Contact | null, setContact: (contact: Contact) => void];

/**
 * The contact that was typed in this tab when it bought the order. The API masks it for visitors who only have the
 * link, so it never comes from there; leaving the page or signing out forgets it.
 */
export function useOwnContact(orderId: string): OwnContact {
  const [own, setOwn] = useState(readDraftContact);
  useEffect(() => onSessionCleared(() => setOwn(null)), []);
  return [own?.orderId === orderId ? own.contact : null, (contact: Contact) => setOwn({ orderId, contact })];
}

/** Read before the settled purchase clears the draft. */
function readDraftContact(): { orderId: string; contact: Contact } | null {
  const { orderId, orderContact } = draftStore.get();
  return orderId !== null && orderContact !== null ? { orderId, contact: orderContact } : null;
}
