import type { Rolldown } from 'vite';

type Graph = Pick<Rolldown.ChunkingContext, 'getModuleInfo'>;

const START = ['/src/web/main.tsx', '/src/web/app/start.tsx', '/node_modules/react-dom/client.js'];
/** Its home page comes with the table: the one screen whose weight every visitor without a signal waits for. */
const TICKETS = '/src/web/tickets/routes.tsx';

/**
 * Tells which modules a first visit to the public host runs, save those that are its own: what both hosts start with.
 * What follows when the page is idle or on another screen is none of it, however many share it.
 * @param root where the source lies, without a slash at its end
 */
export function createFirstScreens(root: string): (id: string, graph: Graph) => boolean {
  let modules: ReadonlySet<string> | null = null;
  return (id, graph) => {
    if (id.includes('/src/web/tickets/')) return false;
    modules ??= importedBy(
      [...START, TICKETS].map((path) => root + path),
      graph,
    );
    return modules.has(id);
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
