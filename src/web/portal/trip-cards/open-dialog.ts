/** What can be done in a dialog: to get one more card, or to one of them. */
export type OpenDialog =
  | { kind: 'adopt' | 'order' }
  | { kind: 'rename' | 'alert' | 'transfer' | 'share' | 'statement' | 'lost'; cardId: string };

export function loadDialogs() {
  return import('./card-dialogs.tsx');
}
