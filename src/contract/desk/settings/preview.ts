/** What is shown with settings before they are published. */
export const PREVIEWED_PAGES = ['home', 'help', 'mail'] as const;
export type PreviewedPage = (typeof PREVIEWED_PAGES)[number];
