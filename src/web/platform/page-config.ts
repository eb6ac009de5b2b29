import type { HomeData } from '#contract/catalogue/schemas.ts';
import type { PageConfig } from '#contract/settings/schemas.ts';

/** Parsed once. Not a store: the first-paint script must not load React. */
const page: { config?: PageConfig | null; data?: HomeData | null } = {};

export function pageConfig(): PageConfig {
  page.config ??= readJson<PageConfig>('page-config');
  if (page.config === null) throw new Error('The page carries no page-config.');
  return page.config;
}

/** In wire format (snake case). */
export function findPageData(): HomeData | null {
  if (page.data === undefined) page.data = readJson<HomeData>('page-data');
  return page.data;
}

/** For prerendering and tests, which have no page to read from. */
export function providePageConfig(config: PageConfig, data: HomeData | null = null): void {
  Object.assign(page, { config, data });
}

function readJson<Value>(id: string): Value | null {
  const text = typeof document === 'undefined' ? null : document.getElementById(id)?.textContent;
  return text ? (JSON.parse(text) as Value) : null;
}
