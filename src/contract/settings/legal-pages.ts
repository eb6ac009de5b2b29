import { message } from '#messages/translate.ts';

/** The legal pages of the operator's website, with the text of their links in footers. */
export const LEGAL_PAGES = [
  { field: 'privacy_url', label: message('Privacy') },
  { field: 'imprint_url', label: message('Imprint') },
  { field: 'accessibility_url', label: message('Accessibility') },
] as const;
