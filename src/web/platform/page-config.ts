import type { HomeData } from '#contract/catalogue/schemas.ts';
import type { PageConfig } from '#contract/settings/schemas.ts';

let config: PageConfig | null = null;
let data: HomeData | null | undefined;

export function pageConfig(): PageConfig {
  config ??= readJson<PageConfig>('page-config');
  if (config === null) throw new Error('The page carries no page-config.');
  return config;
}

/** In wire format (snake case). */
export function findPageData(): HomeData | null {
  if (data === undefined) data = readJson<HomeData>('page-data');
  return data;
}

/** For prerendering and tests, which have no page to read from. */
export function providePageConfig(nextConfig: PageConfig, nextData: HomeData | null = null): void {
  config = nextConfig;
  data = nextData;
}

function readJson<Value>(id: string): Value | null {
  const text = typeof document === 'undefined' ? null : document.getElementById(id)?.textContent;
  return text ? (JSON.parse(text) as Value) : null;
}
