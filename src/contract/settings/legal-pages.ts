/** The legal pages of the operator's website, with the text of their links in footers. */
export const LEGAL_PAGES = [
  { field: 'privacy_url', label: 'Privacy' },
  { field: 'imprint_url', label: 'Imprint' },
  { field: 'accessibility_url', label: 'Accessibility' },
] as const;
