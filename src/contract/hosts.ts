export type Host = 'tickets' | 'portal' | 'staff';

/** Whose session the pages of a host use. One kind of session is never accepted in place of another. */
export type HostSession =
  | {
      kind: 'customer';
      /** Whether most pages need a signed-in customer, who is sent to the sign-in page when the session ends. */
      isRequired: boolean;
    }
  | { kind: 'staff' };

export type SessionKind = HostSession['kind'];

/**
 * The cookies with the sessions' tokens. Their names follow the prefix of the product's cookies. Pages read and write
 * those of scripts, and send the token as a bearer; the others are the server's, and no script can read them.
 */
export const sessionCookies = {
  customer: { name: 'session', domain: 'parent', usedBy: 'scripts' },
  staff: { name: 'staff-session', domain: 'host', usedBy: 'server' },
} as const satisfies Readonly<Record<SessionKind, SessionCookie>>;

type SessionCookie = {
  name: string;
  /** Which hosts receive it: all in the parent domain, or only the one that set it. */
  domain: 'parent' | 'host';
  usedBy: 'scripts' | 'server';
};

/** What pages need of their host. */
type HostDescription = {
  session: HostSession;
  /** Which container of the tag manager its pages load, by its name in the settings. Null: no third-party script runs. */
  containerSetting: 'tickets_container_id' | 'portal_container_id' | null;
  /** The pages that the service worker answers. */
  workerScope: `/${string}`;
};

/**
 * The part of the table of hosts that browsers load. What only the server, the build and the tests need is in
 * `served-hosts.ts`, because every byte here is loaded with every first screen. The pages of each host are in `pages.ts`.
 */
export const hostDescriptions: Readonly<Record<Host, HostDescription>> = {
  tickets: {
    session: { kind: 'customer', isRequired: false },
    containerSetting: 'tickets_container_id',
    workerScope: '/',
  },
  portal: {
    session: { kind: 'customer', isRequired: true },
    containerSetting: 'portal_container_id',
    workerScope: '/',
  },
  staff: { session: { kind: 'staff' }, containerSetting: null, workerScope: '/' },
};

export const HOSTS = Object.keys(hostDescriptions) as readonly Host[];

/** Creates a value for each host. */
export function forEachHost<Value>(create: (host: Host) => Value): Record<Host, Value> {
  return Object.fromEntries(HOSTS.map((host) => [host, create(host)])) as Record<Host, Value>;
}

/** Whether most pages of a host are only for a signed-in customer. */
export function needsSession(host: Host): boolean {
  const { session } = hostDescriptions[host];
  return session.kind === 'customer' && session.isRequired;
}

/** Hosts whose pages use a kind of session. */
export function listHostsOf(kind: SessionKind): readonly Host[] {
  return HOSTS.filter((host) => hostDescriptions[host].session.kind === kind);
}
