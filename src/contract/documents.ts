import type { Host } from './hosts.ts';
import type { Page } from './page.ts';
import { pages } from './pages.ts';
import { SHELL_PATH } from './worker-messages.ts';

/**
 * The documents a host answers navigations with. The prerendered home page and the pages painted from a snapshot have
 * their own, which preload what their screen needs; every other page starts from the shell.
 */
export function listDocuments(host: Host): readonly string[] {
  const own = Object.entries<Page>(pages[host]).filter(
    ([path, { isPrerendered, hasSnapshot }]) => isPrerendered || (hasSnapshot && !path.includes('{')),
  );
  return [...own.map(([path]) => path), SHELL_PATH];
}

/** The document of `listDocuments` for a path. */
export function documentFor(host: Host, pathname: string): string {
  return listDocuments(host).includes(pathname) ? pathname : SHELL_PATH;
}
