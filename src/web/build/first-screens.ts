import type { Rolldown } from 'vite';

type Graph = Pick<Rolldown.ChunkingContext, 'getModuleInfo'>;

/** Runs while saved data is being painted: whatever else came with it would hold that back. */
const EARLY = ['/src/web/main.tsx'];
const START = [...EARLY, '/src/web/app/start.tsx', '/node_modules/react-dom/client.js'];
/** Where visitors begin. */
const TICKETS = ['/src/web/tickets/routes.tsx', '/src/web/tickets/home/home-screen.tsx'];
/** Where customers begin, signed in or not. */
const PORTAL = [
  '/src/web/portal/routes.tsx',
  '/src/web/portal/orders/orders-screen.tsx',
  '/src/web/portal/sign-in/sign-in-screen.tsx',
];
/** Of a library whose index every screen imports, so that the graph cannot tell: no visitor's first screen uses it. */
const NOT_FIRST =
  /\/@tanstack\/[^/]+\/build\/modern\/(hydration|(infiniteQuery|queries)Observer|use(InfiniteQuery|Queries))\.js$/;

/**
 * Tells in which bundle a module goes that a first visit to the public host runs: `early` is what the page's own
 * script needs, `base` what both hosts start with, `home` what the portal starts without. Null: its own screens, and
 * what follows when the page is idle or on another screen, however many share it.
 * @param root where the source lies, without a slash at its end
 */
export function createFirstScreens(
  root: string,
): (id: string, graph: Graph) => 'early' | 'base' | 'home' | null {
  let starts: Record<'early' | 'tickets' | 'portal', ReadonlySet<string>> | null = null;
  const startOf = (paths: readonly string[], graph: Graph) =>
    importedBy(
      paths.map((path) => root + path),
      graph,
    );
  return (id, graph) => {
    if (id.includes('/src/web/tickets/') || NOT_FIRST.test(id)) return null;
    starts ??= {
      early: startOf(EARLY, graph),
      tickets: startOf([...START, ...TICKETS], graph),
      portal: startOf([...START, ...PORTAL], graph),
    };
    if (starts.early.has(id)) return 'early';
    if (!starts.tickets.has(id)) return null;
    return starts.portal.has(id) ? 'base' : 'home';
  };
}

function importedBy(roots: readonly string[], graph: Graph): Set<string> {
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
