import type { Rolldown } from 'vite';

type Graph = Pick<Rolldown.ChunkingContext, 'getModuleInfo'>;

/** Runs while saved data is painted, which more code in this bundle would delay. */
const EARLY = ['/src/web/main.tsx'];
const START = [...EARLY, '/src/web/app/start.tsx', '/node_modules/react-dom/client.js'];
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

/** Every screen imports the index of this library, so the graph does not show which screen uses these modules. */
const UNTRACED =
  /\/@tanstack\/[^/]+\/build\/modern\/(hydration|(infiniteQuery|queries)Observer|use(InfiniteQuery|Queries))\.js$/;

/**
 * Names the bundle of a module by the first screens that load it, so that a visit loads only what it runs. Null leaves
 * the choice to the bundler: no first screen loads the module, or it is a screen itself.
 * @param root folder of the repository, without a slash at its end
 */
export function createSharedChunks(root: string): (id: string, graph: Graph) => string | null {
  const entries = new Set(
    Object.values(FIRST_SCREENS).flatMap((paths) => paths.slice(START.length).map((path) => root + path)),
  );
  let early: ReadonlySet<string> | null = null;
  let screens: readonly (readonly [name: FirstScreen, modules: ReadonlySet<string>])[] = [];
  const importedBy = (paths: readonly string[], graph: Graph) =>
    closureOf(
      paths.map((path) => root + path),
      graph,
    );
  return (id, graph) => {
    if (early === null) {
      early = importedBy(EARLY, graph);
      const names = Object.keys(FIRST_SCREENS) as FirstScreen[];
      screens = names.map((name) => [name, importedBy(FIRST_SCREENS[name], graph)]);
    }
    // Modules loaded by an import() keep their own file, which the page preloads by its name.
    if (UNTRACED.test(id) || entries.has(id)) return null;
    if (early.has(id)) return 'early';
    const users = screens.filter(([, modules]) => modules.has(id)).map(([name]) => name);
    if (users.length < 2) return users[0] ?? null;
    const chunk = CHUNKS.find(([, loadedBy]) => users.every((user) => loadedBy.includes(user)));
    return chunk?.[0] ?? 'base';
  };
}

function closureOf(roots: readonly string[], graph: Graph): Set<string> {
  const found = new Set<string>();
  const open = [...roots];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (found.has(id)) continue;
    const info = graph.getModuleInfo(id);
    if (info === null) throw new Error(`The build has no module ${id}.`);
    found.add(id);
    open.push(...info.importedIds);
  }
  return found;
}
