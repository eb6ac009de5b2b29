import type { Catalogue } from '#contract/catalogue.ts';
import type { PageConfig } from '#contract/settings.ts';

/** What the server embeds in the public home page, in wire shape, so that it is readable without a call. */
export type PageData = { catalogue: Catalogue; today: string };

let config: PageConfig | null = null;
let data: PageData | null | undefined;

export function pageConfig(): PageConfig {
  config ??= readJson<PageConfig>('page-config');
  if (config === null) throw new Error('The page carries no page-config.');
  return config;
}

export function findPageData(): PageData | null {
  if (data === undefined) data = readJson<PageData>('page-data');
  return data;
}

/** For prerender and tests, where there is no page to read from. */
export function providePageConfig(nextConfig: PageConfig, nextData: PageData | null = null): void {
  config = nextConfig;
  data = nextData;
}

function readJson<Value>(id: string): Value | null {
  const text = typeof document === 'undefined' ? null : document.getElementById(id)?.textContent;
  return text ? (JSON.parse(text) as Value) : null;
}
