import type { QueryClient } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import {
  createContext,
  type LoaderFunctionArgs,
  type RouteObject,
  type RouterContextProvider,
  redirectDocument,
  useMatches,
} from 'react-router';
import type { Page } from '#contract/page.ts';
import type { Message } from '#messages/translate.ts';
import { needsOwnDocument } from '../analytics/outside-scripts.ts';
import { isOutdatedBundle } from '../reporting/classify.ts';
import { saveForNextDocument } from '../session/session.ts';
import { handleMissingChunk } from '../updates/missing-chunk.ts';
import { enter, leadTo } from './guard.ts';

export type PreloadArgs = {
  params: Readonly<Record<string, string | undefined>>;
  url: URL;
  client: QueryClient;
};
export type ScreenHandle = {
  /** As in the contract. The build passes it on to the server. */
  path: string;
  name: string;
  title: Message | null;
  isReadableOffline?: true | undefined;
  lazy: (() => Promise<ComponentType>) | null;
  preload: ((args: PreloadArgs) => unknown) | null;
};
export type ScreenOptions<Path extends string> = {
  /** As in the contract's table of pages, which defines its guard and its other properties. */
  path: Path;
  name: string;
  /** Starts the screen's queries while its chunk loads. */
  preload?: (args: PreloadArgs) => unknown;
} & ({ lazy: () => Promise<ComponentType>; component?: never } | { component: ComponentType; lazy?: never });

/** The query client that loaders preload into. */
export const queryClientContext = createContext<QueryClient>();

/**
 * The route of a page, with its guard and its lazy chunk.
 * @param table the pages of the host
 */
export function screen<Path extends string>(
  table: Readonly<Record<Path, Page>>,
  options: ScreenOptions<Path>,
): RouteObject {
  const { path, name, preload = null, lazy = null, component = null } = options;
  const page = table[path];
  const { title, guard, isReadableOffline } = page;
  const handle: ScreenHandle = { path, name, title, isReadableOffline, lazy, preload };
  const loader = async ({ request, params, context }: LoaderFunctionArgs) => {
    const url = new URL(request.url);
    if (needsOwnDocument(page)) {
      saveForNextDocument();
      throw redirectDocument(url.pathname + url.search);
    }
    await enter({ name, guard, url, signal: request.signal });
    const client = (context as Readonly<RouterContextProvider>).get(queryClientContext);
    preload?.({ params, url, client });
    return null;
  };
  // Every navigation pings the session, also one that changes only the query.
  const route = { id: name, path: routePath(path), handle, loader, shouldRevalidate: () => true };
  return lazy
    ? { ...route, lazy: async () => ({ Component: await loadScreen(lazy) }) }
    : { ...route, Component: component };
}

/** A layout around child routes, each with its own guard. */
export function layout(Component: ComponentType, children: RouteObject[]): RouteObject {
  return { Component, children };
}

export type RedirectHandle = { path: string; redirectTo: string };

/** `*` is any other path of the host. */
export function redirectFrom(path: string, to: string): RouteObject {
  const handle: RedirectHandle = { path, redirectTo: to };
  return { path, handle, loader: ({ request }) => leadTo(to, new URL(request.url)) };
}

/** Converts `/orders/{id}` of the contract to `/orders/:id`. */
export function routePath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

export function pageTitle(title: string | null, brand: string): string {
  return title === null ? brand : `${title} | ${brand}`;
}

/** The screen of the address; null if it has none. */
export function useScreen(): ScreenHandle | null {
  return screenHandle(useMatches().at(-1)?.handle);
}

export function screenHandle(handle: unknown): ScreenHandle | null {
  return typeof handle === 'object' && handle !== null && 'name' in handle ? (handle as ScreenHandle) : null;
}

/** The screen of a chunk; asks to reload if the chunk belongs to a release that is gone. */
export async function loadScreen(lazy: () => Promise<ComponentType>): Promise<ComponentType> {
  try {
    return await lazy();
  } catch (error) {
    if (isOutdatedBundle(error)) await handleMissingChunk();
    throw error;
  }
}
