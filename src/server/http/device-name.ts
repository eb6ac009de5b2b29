import type { HttpContext } from './api.ts';

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Macintosh|Mac OS X/, 'Mac'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
];
/** Order matters: Chrome's user agent also contains Safari, and browsers based on Chrome also contain Chrome. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];

/** The client in words: "Safari on iPhone". Enough to distinguish sessions, too little to identify a device. */
export function deviceOf(c: HttpContext): string {
  const userAgent = c.req.header('user-agent') ?? '';
  const find = (names: typeof SYSTEMS) => names.find(([pattern]) => pattern.test(userAgent))?.[1];
  const system = find(SYSTEMS);
  const browser = find(BROWSERS);
  if (system && browser) return `${browser} on ${system}`;
  return browser ?? system ?? 'Unknown device';
}
