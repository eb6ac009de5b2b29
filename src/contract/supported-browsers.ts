/**
 * The oldest supported version of each browser: the build target, and the list shown by a page that cannot start the
 * app.
 */
export const supportedBrowsers = {
  chrome: '111',
  edge: '111',
  safari: '16.4',
  ios: '16.4',
  firefox: '121',
} as const;
