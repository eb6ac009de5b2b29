import type { Rolldown } from 'vite';

type Graph = Pick<Rolldown.ChunkingContext, 'getModuleInfo'>;

const START = ['/src/web/main.tsx', '/src/web/app/start.tsx', '/node_modules/react-dom/client.js'];
const TICKETS = [...START, '/src/web/tickets/routes.tsx'];
const PORTAL = [...START, '/src/web/portal/routes.tsx'];
/** The screens that visits begin with, each with everything its host loads before it. */
const FIRST_SCREENS = {
  home: [...TICKETS, '/src/web/tickets/home/home-screen.tsx'],
  confirmation: [...TICKETS, '/src/web/tickets/confirmation/confirmation-screen.tsx'],
  signIn: [...PORTAL, '/src/web/portal/sign-in/sign-in-screen.tsx'],
  signUp: [...PORTAL, '/src/web/portal/sign-up/sign-up-screen.tsx'],
  orders: [...PORTAL, '/src/web/portal/orders/orders-screen.tsx'],
  tripCards: [...PORTAL, '/src/web/portal/trip-cards/trip-cards-screen.tsx'],
};

type FirstScreen = keyof typeof FIRST_SCREENS;

/** What every page loads once it is idle. */
const IDLE = [
  '/src/web/app/late-start.ts',
  '/src/web/platform/worker/worker.ts',
  '/src/web/platform/updates/updates.ts',
  '/src/web/app/connection-overlay.tsx',
  '/src/web/app/watch-connection.ts',
  '/src/web/features/install/invitation-card.tsx',
];

/** Loaded when idle: a tap shows it, and passengers need it without a connection. */
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
  ['forms', ['signIn', 'signUp']],
  ['trips', ['confirmation', 'orders', 'tripCards']],
  ['account', ['signIn', 'signUp', 'orders', 'tripCards']],
  ['later', ['confirmation', 'signIn', 'signUp', 'orders', 'tripCards']],
];

/**
 * The bundle of a module that one first screen loads and other pages load when idle. In the screen's own bundle it would
 * bring the rest of that screen along.
 */
const IDLE_PART: Partial<Record<FirstScreen, string>> = {
  confirmation: 'tickets',
  signIn: 'later',
  signUp: 'later',
  orders: 'trips',
};

/** The same for what the dialogs of trip cards load. */
const CARDS_PART: Partial<Record<FirstScreen, string>> = { home: 'fields', signIn: 'forms', signUp: 'forms' };

/** Every screen imports the index of this library, so the graph does not show which screens use these modules. */
const UNTRACED =
  /\/@tanstack\/[^/]+\/build\/modern\/(hydration|(infiniteQuery|queries)Observer|use(InfiniteQuery|Queries))\.js$/;

/**
 * Names the bundle of a module by the first screens that load it, so that a visit loads only what it runs, in few files.
 * Null leaves the choice to the bundler: the module is loaded on demand.
 * @param root folder of the repository, without a slash at its end
 */
export function createSharedChunks(root: string): (id: string, graph: Graph) => string | null {
  const entries = new Set(
    Object.values(FIRST_SCREENS).flatMap((paths) => paths.slice(START.length).map((path) => root + path)),
  );
  let screens: readonly (readonly [name: FirstScreen, modules: ReadonlySet<string>])[] | null = null;
  let idle: ReadonlySet<string> = new Set();
  let order: ReadonlySet<string> = new Set();
  let cards: ReadonlySet<string> = new Set();
  let onTicketsHost: ReadonlySet<string> = new Set();
  const importedBy = (paths: readonly string[], graph: Graph) =>
    closureOf(
      paths.map((path) => root + path),
      graph,
    );
  return (id, graph) => {
    if (screens === null) {
      const names = Object.keys(FIRST_SCREENS) as FirstScreen[];
      screens = names.map((name) => [name, importedBy(FIRST_SCREENS[name], graph)]);
      idle = importedBy(IDLE, graph);
      order = importedBy(ORDER, graph);
      cards = importedBy(CARDS, graph);
      onTicketsHost = closureOf([root + TICKETS_HOST], graph, withDynamicImports);
    }
    // The files of one host only. The page preloads them by their names.
    if (entries.has(id)) return null;
    if (UNTRACED.test(id)) return 'later';
    const users = screens.filter(([, modules]) => modules.has(id)).map(([name]) => name);
    const [user, ...others] = users;
    if (user === undefined) {
      if (idle.has(id)) return 'idle';
      // A bundle of both hosts must not import what only the portal has.
      if (order.has(id)) return onTicketsHost.has(id) ? 'order' : null;
      if (cards.has(id)) return onTicketsHost.has(id) ? 'lists' : 'cards';
      return null;
    }
    if (others.length === 0) {
      if (idle.has(id) || order.has(id)) return IDLE_PART[user] ?? user;
      return (cards.has(id) && CARDS_PART[user]) || user;
    }
    const chunk = CHUNKS.find(([, loadedBy]) => users.every((user) => loadedBy.includes(user)));
    return chunk?.[0] ?? 'base';
  };
}

type Imports = NonNullable<ReturnType<Graph['getModuleInfo']>>;

function withDynamicImports({ importedIds, dynamicallyImportedIds }: Imports): string[] {
  return [...importedIds, ...dynamicallyImportedIds];
}

function closureOf(
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
