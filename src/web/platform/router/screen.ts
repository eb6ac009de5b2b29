import type { QueryClient } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import {
  createContext,
  type LoaderFunctionArgs,
  type RouteObject,
  RouterContextProvider,
  redirect,
  redirectDocument,
} from 'react-router';
import { type Host, type Page, type PagePath, pages } from '#contract/pages.ts';
import { needsOwnDocument } from '../analytics/outside-scripts.ts';
import { isOutdatedBundle } from '../reporting/classify.ts';
import { saveForNextDocument } from '../session/session.ts';
import { handleMissingChunk } from '../updates/missing-chunk.ts';
import { enter } from './guard.ts';

export type PreloadArgs = {
  params: Readonly<Record<string, string | undefined>>;
  url: URL;
  client: QueryClient;
};
export type ScreenHandle = {
  /** As in the contract. The build passes it on to the server. */
  path: string;
  name: string;
  title: string | null;
  isReadableOffline?: true | undefined;
  lazy: (() => Promise<ComponentType>) | null;
  preload: ((args: PreloadArgs) => unknown) | null;
};
export type ScreenOptions<Of extends Host> = {
  /** As in the contract's table of pages, which defines its guard and its other properties. */
  path: PagePath<Of>;
  name: string;
  /** Starts the screen's queries while its chunk loads. */
  preload?: (args: PreloadArgs) => unknown;
} & ({ lazy: () => Promise<ComponentType>; component?: never } | { component: ComponentType; lazy?: never });

/** The query client that loaders preload into. */
export const queryClientContext = createContext<QueryClient | null>(null);

/** The route of a page, with its guard and its lazy chunk. */
export function screen<Of extends Host>(host: Of, options: ScreenOptions<Of>): RouteObject {
  const { path, name, preload = null, lazy, component } = options;
  const { title, guard, isReadableOffline }: Page = pages[host][path];
  const handle: ScreenHandle = { path, name, title, isReadableOffline, lazy: lazy ?? null, preload };
  const loader = async (args: LoaderFunctionArgs) => {
    const { pathname, search } = new URL(args.request.url);
    if (needsOwnDocument(pathname)) {
      saveForNextDocument();
      throw redirectDocument(pathname + search);
    }
    await enter({ name, guard, request: args.request }, () => startPreload(handle, args));
    return null;
  };
  const route = { id: name, path: routePath(path), handle, loader, shouldRevalidate: () => true };
  if (lazy === undefined) return { ...route, Component: component };
  return { ...route, lazy: { Component: () => loadScreen(lazy) } };
}

/** A layout around child routes, each with its own guard. */
export function layout(Component: ComponentType, children: RouteObject[]): RouteObject {
  return { Component, children };
}

export type RedirectHandle = { path: string; redirectTo: string };

/** `*` is any other path of the host. */
export function redirectFrom(path: string, to: string): RouteObject {
  const handle: RedirectHandle = { path, redirectTo: to };
  return { path, handle, loader: () => redirect(to) };
}

/** Converts `/orders/{id}` of the contract to `/orders/:id`. */
export function routePath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

export function pageTitle(title: string | null, brand: string): string {
  return title === null ? brand : `${title} | ${brand}`;
}

async function loadScreen(lazy: () => Promise<ComponentType>): Promise<ComponentType> {
  try {
    return await lazy();
  } catch (error) {
    if (isOutdatedBundle(error)) await handleMissingChunk();
    throw error;
  }
}

function startPreload(handle: ScreenHandle, { params, request, context }: LoaderFunctionArgs): void {
  if (handle.preload === null || !(context instanceof RouterContextProvider)) return;
  const client = context.get(queryClientContext);
  if (client !== null) handle.preload({ params, url: new URL(request.url), client });
}
