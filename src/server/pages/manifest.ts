import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Host } from '#contract/page.ts';
import { ticketPages } from '#contract/paths.ts';
import type { WebSettings } from '#contract/settings/schemas.ts';

type Manifest = {
  name: string;
  short_name: string;
  description: string;
  start_url: string;
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

const TICKET_SHORTCUTS = [
  {
    name: 'Show tickets',
    description: 'The codes of your next trip, full screen',
    query: '?show=next',
    icon: 'tickets',
  },
  { name: 'Buy tickets', description: 'Sailings, prices and places', query: '', icon: 'tickets' },
  { name: 'Find my tickets', description: 'Have them emailed to you again', query: '?find=1', icon: 'find' },
];

/** The web app manifest of a host with the operator's name: the portal's file, or the ticket host's derived from it. */
export function composeManifest(host: Host, { brand }: WebSettings): string {
  const named = {
    ...portalManifest,
    icons: chooseIcons(brand),
    screenshots: brand.name === OPERATOR_OF_SCREENSHOTS ? portalManifest.screenshots : [],
    short_name: brand.name,
  };
  const manifest: Manifest =
    host === 'portal'
      ? { ...named, name: `${brand.name} account` }
      : {
          ...named,
          name: `${brand.name} tickets`,
          // Distinguishes the two apps on a home screen.
          short_name: `${brand.name} tickets`,
          description: brand.tagline ?? 'Ferry tickets',
          start_url: ticketPages.home,
          shortcuts: TICKET_SHORTCUTS.map(toTicketShortcut),
          screenshots: named.screenshots.map((picture) => ({
            ...picture,
            src: picture.src.replace('portal-', 'tickets-'),
            label: 'Choosing a crossing',
          })),
        };
  return JSON.stringify(manifest);
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

function toTicketShortcut({ query, icon, ...texts }: (typeof TICKET_SHORTCUTS)[number]): Shortcut {
  const icons = [{ src: `/install/shortcut-${icon}.png`, sizes: '96x96', type: 'image/png' }];
  return { ...texts, url: ticketPages.home + query, icons };
}
