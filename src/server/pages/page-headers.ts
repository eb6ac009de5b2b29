import { createHash } from 'node:crypto';
import { hostDescriptions } from '#contract/hosts.ts';
import { servedHosts } from '#contract/served-hosts.ts';
import type { PageConfig } from '#contract/settings/schemas.ts';
import { TRUSTED_MARKUP, TRUSTED_SCRIPTS } from '#contract/trusted-types.ts';

type Sources = Partial<Record<'script' | 'connect' | 'image' | 'frame', string[]>>;

const STRIPE = 'https://js.stripe.com';

/**
 * The Content-Security-Policy and related headers of a page: our scripts and those the operator configured, no inline
 * script, styles by hash. Pages cannot be framed, and the URL (it may contain an order's id) is never sent as a
 * referrer. Private pages allow no tracking scripts and no position.
 */
export function pageHeaders(
  config: PageConfig,
  inlineStyles: readonly string[],
  { isPrivate = false } = {},
): Record<string, string> {
  const analytics = isPrivate ? [] : analyticsSources(config);
  const { takesPayments, usesPosition, usesCamera, framesPages } = servedHosts[config.host];
  const outside = [
    ...(takesPayments ? [providerSources(config)] : []),
    ...analytics,
    ...reportSources(config),
    ...brandSources(config),
  ];
  const from = (kind: keyof Sources) => outside.flatMap((sources) => sources[kind] ?? []);
  const policy: Record<string, string[]> = {
    'default-src': ["'none'"],
    // The reader of codes is WebAssembly.
    'script-src': ["'self'", ...(usesCamera ? ["'wasm-unsafe-eval'"] : []), ...from('script')],
    'style-src': ["'self'", ...inlineStyles.map(hashSource)],
    'img-src': ["'self'", 'data:', config.origins.storage, ...from('image')],
    'font-src': ["'self'"],
    'connect-src': ["'self'", config.origins.storage, ...from('connect')],
    'frame-src': [...(framesPages ? ["'self'"] : []), ...from('frame')],
    'manifest-src': ["'self'"],
    'worker-src': ["'self'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
  };
  const payment = takesPayments ? `self "${new URL(config.provider.script_url).origin}"` : '';
  return {
    'Content-Security-Policy': Object.entries(policy)
      .map(([directive, sources]) => [directive, ...sources].join(' '))
      .join('; '),
    'Content-Security-Policy-Report-Only': trustedTypes({ isWatched: analytics.length > 0 }),
    'Referrer-Policy': 'no-referrer',
    'X-Frame-Options': 'DENY',
    'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
    'Permissions-Policy': `camera=(${usesCamera ? 'self' : ''}), geolocation=(${usesPosition && !isPrivate ? 'self' : ''}), microphone=(), payment=(${payment})`,
    ...(config.origins.tickets.startsWith('https:')
      ? { 'Strict-Transport-Security': 'max-age=31536000; includeSubDomains' }
      : {}),
  };
}

/** What allows an inline style. */
function hashSource(content: string): string {
  return `'sha256-${createHash('sha256').update(content).digest('base64')}'`;
}

/**
 * Requires Trusted Types, in report-only mode: the card provider's script and the tags of a tag manager may change at
 * any time and break it. Tracking scripts use their own policies.
 */
function trustedTypes({ isWatched }: { isWatched: boolean }): string {
  const names = isWatched ? '' : `; trusted-types ${TRUSTED_SCRIPTS} ${TRUSTED_MARKUP}`;
  return `require-trusted-types-for 'script'${names}`;
}

/** As listed in the provider's security guide; its stand-in serves everything from one origin. */
function providerSources({ provider }: PageConfig): Sources {
  const origin = new URL(provider.script_url).origin;
  if (origin !== STRIPE) return { script: [origin], connect: [origin], frame: [origin] };
  return {
    script: [STRIPE, 'https://*.js.stripe.com'],
    connect: ['https://api.stripe.com'],
    frame: [STRIPE, 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
  };
}

/** The origin for error reports; the DSN's key before the host is public. */
function reportSources({ sentry_dsn }: PageConfig): Sources[] {
  if (sentry_dsn === null) return [];
  return [{ connect: [new URL(sentry_dsn).origin] }];
}

/** The operator's logo and icons may be on other servers; invalid addresses are ignored. */
function brandSources({ host, origins, settings }: PageConfig): Sources[] {
  const { logo_url, icon_url, maskable_icon_url } = settings.brand;
  const pictureOrigins = [logo_url, icon_url, maskable_icon_url].flatMap((address) => {
    const picture = URL.parse(address ?? '', origins[host]);
    return picture !== null && /^https?:$/.test(picture.protocol) ? picture.origin : [];
  });
  const others = pictureOrigins.filter((origin) => origin !== origins[host] && origin !== origins.storage);
  return [{ image: [...new Set(others)] }];
}

/** Allows only the origins configured for this host. */
function analyticsSources({ host, settings }: PageConfig): Sources[] {
  const { recorder_site_id, ...containers } = settings.analytics;
  const { containerSetting } = hostDescriptions[host];
  if (containerSetting === null) return [];
  const tagManager = 'https://www.googletagmanager.com';
  const analytics = ['https://*.google-analytics.com', 'https://*.analytics.google.com', tagManager];
  const recorder = 'https://*.hotjar.com';
  const sources: Sources[] = [];
  if (containers[containerSetting]) {
    sources.push({ script: [tagManager], connect: analytics, image: analytics });
  }
  if (recorder_site_id) {
    const connect = [recorder, 'https://*.hotjar.io', 'wss://*.hotjar.com'];
    sources.push({ script: [recorder], connect, image: [recorder] });
  }
  return sources;
}
