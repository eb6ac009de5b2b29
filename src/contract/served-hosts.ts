import { type Message, message, type Translate } from '#messages/translate.ts';
import type { Host } from './hosts.ts';
import type { PagePath } from './page.ts';
import { portalPages, staffPages, ticketPages } from './paths.ts';
import type { WebSettings } from './settings/schemas.ts';

/** What the server, the build and the tests need of a host. */
type ServedHost<Of extends Host> = {
  /** As shown to the operator. */
  label: string;
  about: string;
  /** Its name in the parent domain, unless the variable of the environment says otherwise. */
  subdomain: string;
  /** Search engines and trip planners read it: it has a sitemap, pages of routes and the timetable. */
  isPublic: boolean;
  /** Its pages load the card provider's script. */
  takesPayments: boolean;
  /** Its pages may ask for the visitor's position. */
  usesPosition: boolean;
  /** Its pages may read codes with the camera. */
  usesCamera: boolean;
  /** Its pages may show pages that it serves in a frame. */
  framesPages: boolean;
  /** The language of visitors who have not chosen one. Shared devices at work follow the operator. */
  startLanguage: 'browser' | 'operator';
  /** The clock that times are shown on, apart from those of boats. */
  clock: 'device' | 'operator';
  manifest: HostManifest;
  /** Limits of the built files in kilobytes of 1024 bytes, compressed. */
  kilobytes: {
    /** The scripts of pages that many visitors open first. */
    firstScreens: { readonly [Path in PagePath<Of>]?: number };
    /** What the worker installs. */
    installed: number;
  };
};

type Brand = Pick<WebSettings['brand'], 'name' | 'tagline'>;

/** The web app manifest of a host. */
type HostManifest = {
  name: (t: Translate, brand: Brand) => string;
  /** What differs from `manifest.webmanifest`, whose app is the portal. Null: nothing but the name. */
  own: {
    description: (t: Translate, brand: Brand) => string;
    startUrl: string;
    shortcuts: readonly AppShortcut[];
    /** The prefix and the text of its screenshots. Null: it has none. */
    screenshots: { prefix: string; label: Message } | null;
  } | null;
};

type AppShortcut = {
  name: Message;
  description: Message;
  url: string;
  icon: 'tickets' | 'find';
};

/** The table of hosts, with `hostDescriptions`. A host without an entry does not compile. */
export const servedHosts: { readonly [Each in Host]: ServedHost<Each> } = {
  tickets: {
    label: 'Buy tickets',
    about: 'Where visitors buy their crossing.',
    subdomain: 'tickets',
    isPublic: true,
    takesPayments: true,
    usesPosition: true,
    usesCamera: false,
    framesPages: false,
    startLanguage: 'browser',
    clock: 'device',
    manifest: {
      name: (t, { name }) => t('{brand} tickets', { brand: name }),
      own: {
        description: (t, { tagline }) => tagline ?? t('Ferry tickets'),
        startUrl: ticketPages.home,
        shortcuts: [
          {
            name: message('Show tickets'),
            description: message('The codes of your next trip, full screen'),
            url: `${ticketPages.home}?show=next`,
            icon: 'tickets',
          },
          {
            name: message('Buy tickets'),
            description: message('Sailings, prices and places'),
            url: ticketPages.home,
            icon: 'tickets',
          },
          {
            name: message('Find my tickets'),
            description: message('Have them emailed to you again'),
            url: `${ticketPages.home}?find=1`,
            icon: 'find',
          },
        ],
        screenshots: { prefix: 'tickets-', label: message('Choosing a crossing') },
      },
    },
    kilobytes: {
      firstScreens: { [ticketPages.home]: 146, [ticketPages.confirmation]: 153.75 },
      installed: 361.75,
    },
  },
  portal: {
    label: 'Customer account',
    about: 'Orders, trip cards, saved cards and security of a customer.',
    subdomain: 'my',
    isPublic: false,
    takesPayments: true,
    usesPosition: false,
    usesCamera: false,
    framesPages: false,
    startLanguage: 'browser',
    clock: 'device',
    manifest: { name: (t, { name }) => t('{brand} account', { brand: name }), own: null },
    kilobytes: {
      firstScreens: {
        [portalPages.signIn]: 148.75,
        [portalPages.signUp]: 149.75,
        [portalPages.orders]: 155.5,
        [portalPages.tripCards]: 151,
      },
      installed: 364,
    },
  },
  staff: {
    label: 'Staff',
    about: 'Where the operator’s staff work.',
    subdomain: 'staff',
    isPublic: false,
    takesPayments: false,
    usesPosition: false,
    usesCamera: true,
    framesPages: true,
    startLanguage: 'operator',
    clock: 'operator',
    manifest: {
      name: (t, { name }) => t('{brand} staff', { brand: name }),
      own: {
        description: (t) => t('For people who work here'),
        startUrl: staffPages.home,
        shortcuts: [],
        screenshots: null,
      },
    },
    kilobytes: { firstScreens: { [staffPages.home]: 144 }, installed: 280 },
  },
};

/** The variable of the environment with the host's name. */
export function hostVariable<Name extends Host>(host: Name): `${Uppercase<Name>}_HOST` {
  return `${host.toUpperCase() as Uppercase<Name>}_HOST`;
}
