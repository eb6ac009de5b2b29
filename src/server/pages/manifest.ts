import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Host, hostDescriptions } from '#contract/hosts.ts';
import { servedHosts } from '#contract/served-hosts.ts';
import type { WebSettings } from '#contract/settings/schemas.ts';
import type { Translate } from '#messages/translate.ts';
import { textsIn } from '#server/core/texts.ts';

type Manifest = {
  name: string;
  short_name: string;
  description: string;
  start_url: string;
  scope: string;
  icons: (Image & { purpose: string })[];
  shortcuts: Shortcut[];
  screenshots: (Image & { form_factor: string; label: string })[];
};
type Shortcut = { name: string; description: string; url: string; icons: Image[] };
type Image = { src: string; sizes: string; type: string };

const source = fileURLToPath(new URL('../../../manifest.webmanifest', import.meta.url));
const portalManifest: Manifest = JSON.parse(readFileSync(source, 'utf8'));

/** The screenshots show the demo operator, so that no other one has them. */
const OPERATOR_OF_SCREENSHOTS = 'Harbor Line';

/** The web app manifest of a host with the operator's name: the portal's file, or one derived from it. */
export function composeManifest(host: Host, { brand, language }: WebSettings): string {
  const t = textsIn(language);
  const { manifest } = servedHosts[host];
  const screenshots = brand.name === OPERATOR_OF_SCREENSHOTS ? portalManifest.screenshots : [];
  const base = {
    ...portalManifest,
    name: manifest.name(t, brand),
    scope: hostDescriptions[host].workerScope,
    icons: chooseIcons(brand),
  };
  const { own } = manifest;
  if (own === null) return JSON.stringify({ ...base, short_name: brand.name, screenshots });
  return JSON.stringify({
    ...base,
    // Different short names distinguish the apps on a home screen.
    short_name: base.name,
    description: own.description(t, brand),
    start_url: own.startUrl,
    shortcuts: own.shortcuts.map((shortcut) => toShortcut(t, shortcut)),
    screenshots: own.screenshots ? renameScreenshots(t, screenshots, own.screenshots) : [],
  } satisfies Manifest);
}

/** The operator's icons. Without one that may be cut, the other one is shown whole on a white shape. */
function chooseIcons({ icon_url, maskable_icon_url }: WebSettings['brand']): Manifest['icons'] {
  if (icon_url === null) return portalManifest.icons;
  const icon = { sizes: '512x512', type: 'image/png' };
  return [
    { ...icon, src: icon_url, purpose: 'any' },
    ...(maskable_icon_url === null ? [] : [{ ...icon, src: maskable_icon_url, purpose: 'maskable' }]),
  ];
}

type OwnManifest = NonNullable<(typeof servedHosts)[Host]['manifest']['own']>;

function toShortcut(
  t: Translate,
  { name, description, url, icon }: OwnManifest['shortcuts'][number],
): Shortcut {
  const icons = [{ src: `/install/shortcut-${icon}.png`, sizes: '96x96', type: 'image/png' }];
  return { name: t(name), description: t(description), url, icons };
}

function renameScreenshots(
  t: Translate,
  screenshots: Manifest['screenshots'],
  { prefix, label }: NonNullable<OwnManifest['screenshots']>,
): Manifest['screenshots'] {
  return screenshots.map((picture) => ({
    ...picture,
    src: picture.src.replace('portal-', prefix),
    label: t(label),
  }));
}
