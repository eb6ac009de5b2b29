import type { PageConfig, WebSettings } from '#contract/settings/schemas.ts';
import { escapeHtml } from '../core/markup.ts';
import { canonicalLink } from './page-language.ts';

export type PageMeta = {
  title: string;
  /** Null if the operator has no tagline. */
  description: string | null;
  /** The address under which search engines list the page; null for pages that they must not list. */
  canonical: string | null;
  /** The operator's language tag. */
  operatorLanguage: string;
  /** What the page shows, as a path with its alternative text. Absent: the operator's icon stands for it. */
  picture?: { path: string; alt: string } | null;
};

/** Title, description and preview of a page: for search engines, and for messengers when its link is sent. */
export function composeMeta(
  config: PageConfig,
  { title, description, canonical, operatorLanguage, picture = null }: PageMeta,
): string[] {
  const { brand, language } = config.settings;
  const properties: [string, string | null][] = [
    ['og:type', 'website'],
    ['og:site_name', brand.name],
    ['og:title', title],
    ['og:description', description],
    ['og:image', picture ? config.origins[config.host] + picture.path : imageUrl(config)],
    ['og:image:alt', picture?.alt || null],
    ['og:locale', openGraphLocale(language)],
    ['og:url', canonical],
  ];
  return [
    `<title>${escapeHtml(title)}</title>`,
    ...(description === null ? [] : [`<meta name="description" content="${escapeHtml(description)}" />`]),
    canonical === null
      ? '<meta name="robots" content="noindex" />'
      : canonicalLink(canonical, { page: language, operator: operatorLanguage }),
    ...properties.flatMap(([name, content]) =>
      content === null ? [] : [`<meta property="${name}" content="${escapeHtml(content)}" />`],
    ),
  ];
}

/** The icon of the installed app, as an absolute address. */
export function imageUrl({
  host,
  origins,
  settings,
}: Pick<PageConfig, 'host' | 'origins' | 'settings'>): string {
  return new URL(settings.brand.icon_url ?? '/icon-512.png', origins[host]).href;
}

/** The operator's icons for browsers and home screens, and the colors of the browser's frame, which are the header's. */
export function iconTags({ icon_url }: WebSettings['brand']): string[] {
  const own = icon_url === null ? null : escapeHtml(icon_url);
  return [
    '<meta name="theme-color" content="#020c17" media="(prefers-color-scheme: dark)" />',
    '<meta name="theme-color" content="#072d46" />',
    own === null
      ? '<link rel="icon" href="/icon.svg" type="image/svg+xml" />'
      : `<link rel="icon" href="${own}" type="image/png" />`,
    `<link rel="apple-touch-icon" href="${own ?? '/apple-touch-icon.png'}" />`,
    '<link rel="manifest" href="/manifest.webmanifest" />',
  ];
}

/** Open Graph wants a territory: `en` becomes `en_US`. Null for a language without a known one. */
function openGraphLocale(language: string): string | null {
  const { language: code, region } = new Intl.Locale(language).maximize();
  return region === undefined ? null : `${code}_${region}`;
}
