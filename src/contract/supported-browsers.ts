/** The oldest supported version of each browser: the build's target, and what a page names where the app cannot start. */
export const supportedBrowsers = {
  chrome: '111',
  edge: '111',
  safari: '16.4',
  ios: '16.4',
  firefox: '121',
} as const;
