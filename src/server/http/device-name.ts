import type { Context } from 'hono';

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Macintosh|Mac OS X/, 'Mac'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
];
/** Order matters: Chrome also says Safari, and everything built on Chrome also says Chrome. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];

/** What asked, in words: "Safari on iPhone". Enough to tell sessions apart, too little to recognise a device by. */
export function deviceOf(c: Context): string {
  const userAgent = c.req.header('user-agent') ?? '';
  const find = (names: typeof SYSTEMS) => names.find(([pattern]) => pattern.test(userAgent))?.[1];
  const system = find(SYSTEMS);
  const browser = find(BROWSERS);
  if (system && browser) return `${browser} on ${system}`;
  return browser ?? system ?? 'Unknown device';
}
