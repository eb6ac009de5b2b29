import type { Rolldown } from 'vite';

type Graph = Pick<Rolldown.ChunkingContext, 'getModuleInfo'>;

const ENTRY = '/src/web/main.tsx';
const START = [ENTRY, '/src/web/app/start.tsx', '/node_modules/react-dom/client.js'];
const TICKETS = [...START, '/src/web/tickets/routes.tsx'];
const PORTAL = [...START, '/src/web/portal/routes.tsx'];
/** The screens that visits begin with, each with everything its host loads before it. The keys name their bundles. */
const FIRST_SCREENS = {
  'home-screen': [...TICKETS, '/src/web/tickets/home/home-screen.tsx'],
  'confirmation-screen': [...TICKETS, '/src/web/tickets/confirmation/confirmation-screen.tsx'],
  'sign-in-screen': [...PORTAL, '/src/web/portal/sign-in/sign-in-screen.tsx'],
  'sign-up-screen': [...PORTAL, '/src/web/portal/sign-up/sign-up-screen.tsx'],
  // Together: a tap leads from one to the other, also right after a start from saved data.
  'saved-screens': [
    ...PORTAL,
    '/src/web/portal/orders/orders-screen.tsx',
    '/src/web/portal/trip-cards/trip-cards-screen.tsx',
  ],
};

type FirstScreen = keyof typeof FIRST_SCREENS;

/** What every page loads once it is idle. */
const IDLE = [
  '/src/web/app/late-start.ts',
  '/src/web/platform/worker/worker.ts',
  '/src/web/platform/updates/updates.ts',
  '/src/web/app/connection-overlay.tsx',
  '/src/web/app/watch-connection.ts',
];

/** Loaded when My Orders is idle: a tap shows it, and passengers need it without a connection. */
const ORDER = ['/src/web/portal/orders/order-view.tsx', '/src/web/features/ticket/gate/order-gate.tsx'];
/** Loaded when the trip cards are idle, because a tap shows it. */
const CARDS = [
  '/src/web/portal/trip-cards/gate-code.tsx',
  '/src/web/portal/trip-cards/card-dialogs.tsx',
  '/src/web/portal/step-up/step-up-dialog.tsx',
];
const TICKETS_HOST = '/src/web/tickets/routes.tsx';

/**
 * The bundles, smallest first. A module goes into the first one that is loaded by every screen that uses it: some screens
 * load a few modules of others, because many small files cost more than they save.
 */
const CHUNKS: readonly (readonly [name: string, screens: readonly FirstScreen[]])[] = [
  ['forms', ['sign-in-screen', 'sign-up-screen']],
  ['trips', ['confirmation-screen', 'saved-screens']],
  ['account', ['sign-in-screen', 'sign-up-screen', 'saved-screens']],
  ['later', ['confirmation-screen', 'sign-in-screen', 'sign-up-screen', 'saved-screens']],
];

/**
 * The bundle of a module that one first screen loads and other pages load when idle. In the screen's own bundle it would
 * bring the rest of that screen along.
 */
const IDLE_PART: Partial<Record<FirstScreen, string>> = {
  'home-screen': 'fields',
  'confirmation-screen': 'tickets',
  'sign-in-screen': 'later',
  'sign-up-screen': 'later',
  'saved-screens': 'trips',
};

/** The same for what the dialogs of trip cards load. */
const CARDS_PART: Partial<Record<FirstScreen, string>> = {
  'home-screen': 'fields',
  'sign-in-screen': 'forms',
  'sign-up-screen': 'forms',
};

/** The same for what one first screen of the portal loads and later screens of the other host too. */
const TICKETS_PART: Partial<Record<FirstScreen, string>> = {
  'sign-in-screen': 'forms',
  'sign-up-screen': 'registration',
  'saved-screens': 'trips',
};

/** Every screen imports the index of this library, so the graph does not show which screens use these modules. */
const UNTRACED =
  /\/@tanstack\/[^/]+\/build\/modern\/(hydration|(infiniteQuery|queries)Observer|use(InfiniteQuery|Queries))\.js$/;

/**
 * Names the bundle of a module by the first screens that load it, so that a visit loads only what it runs, in few files.
 * Null leaves the choice to the bundler: the module is loaded on demand.
 * @param root folder of the repository, without a slash at its end
 */
export function createSharedChunks(root: string): (id: string, graph: Graph) => string | null {
  let screens: readonly (readonly [name: FirstScreen, modules: ReadonlySet<string>])[] | null = null;
  let boot: ReadonlySet<string> = new Set();
  let idle: ReadonlySet<string> = new Set();
  let order: ReadonlySet<string> = new Set();
  let cards: ReadonlySet<string> = new Set();
  let onTicketsHost: ReadonlySet<string> = new Set();
  const importedBy = (paths: readonly string[], graph: Graph) =>
    findClosure(
      paths.map((path) => root + path),
      graph,
    );
  return (id, graph) => {
    if (screens === null) {
      const names = Object.keys(FIRST_SCREENS) as FirstScreen[];
      screens = names.map((name) => [name, importedBy(FIRST_SCREENS[name], graph)]);
      boot = importedBy([ENTRY], graph);
      idle = importedBy(IDLE, graph);
      order = importedBy(ORDER, graph);
      cards = importedBy(CARDS, graph);
      onTicketsHost = findClosure([root + TICKETS_HOST], graph, withDynamicImports);
    }
    // Apart from React and the app, which run in later tasks.
    if (boot.has(id)) return 'boot';
    // The other host's start script must not have it.
    if (id === root + TICKETS_HOST) return null;
    if (UNTRACED.test(id)) return 'later';
    const users = screens.filter(([, modules]) => modules.has(id)).map(([name]) => name);
    const [user, ...others] = users;
    if (user === undefined) {
      if (idle.has(id)) return 'idle';
      // A bundle of both hosts must not import what only the portal has.
      if (order.has(id)) return onTicketsHost.has(id) ? 'order' : 'order-view';
      if (cards.has(id)) return onTicketsHost.has(id) ? 'order' : 'cards';
      return null;
    }
    if (others.length === 0) {
      if (idle.has(id) || order.has(id)) return IDLE_PART[user] ?? user;
      return (cards.has(id) && CARDS_PART[user]) || (onTicketsHost.has(id) && TICKETS_PART[user]) || user;
    }
    const chunk = CHUNKS.find(([, loadedBy]) => users.every((user) => loadedBy.includes(user)));
    return chunk?.[0] ?? 'base';
  };
}

type Imports = NonNullable<ReturnType<Graph['getModuleInfo']>>;

function withDynamicImports({ importedIds, dynamicallyImportedIds }: Imports): string[] {
  return [...importedIds, ...dynamicallyImportedIds];
}

function findClosure(
  roots: readonly string[],
  graph: Graph,
  importsOf = ({ importedIds }: Imports): readonly string[] => importedIds,
): Set<string> {
  const found = new Set<string>();
  const open = [...roots];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (found.has(id)) continue;
    const info = graph.getModuleInfo(id);
    if (info === null) throw new Error(`The build has no module ${id}.`);
    found.add(id);
    open.push(...importsOf(info));
  }
  return found;
}
