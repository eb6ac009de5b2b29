import type { QueryClient } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import type { Page } from '#contract/page.ts';
import type { Route } from '#web/navigation/screens.tsx';
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
type EnterArgs = PreloadArgs & { signal: AbortSignal };
export type ScreenHandle = {
  /** As in the contract. The build passes it on to the server. */
  path: string;
  name: string;
  title: string | null;
  isReadableOffline?: true | undefined;
  lazy: (() => Promise<ComponentType>) | null;
  preload: ((args: PreloadArgs) => unknown) | null;
  /** Runs on every navigation to the screen, while its chunk loads. Returns where the visitor goes instead. */
  enter?: (args: EnterArgs) => Promise<Redirect | null>;
};
/** A path of the host. */
export type Redirect = { redirectTo: string; inNewDocument?: true };
export type ScreenOptions<Path extends string> = {
  /** As in the contract's table of pages, which defines its guard and its other properties. */
  path: Path;
  name: string;
  /** Starts the screen's queries while its chunk loads. */
  preload?: (args: PreloadArgs) => unknown;
} & ({ lazy: () => Promise<ComponentType>; component?: never } | { component: ComponentType; lazy?: never });

/**
 * The route of a page, with its guard and its lazy chunk.
 * @param table the pages of the host
 */
export function screen<Path extends string>(
  table: Readonly<Record<Path, Page>>,
  options: ScreenOptions<Path>,
): Route {
  const { path, name, preload = null, lazy, component } = options;
  const page = table[path];
  const { title, guard, isReadableOffline } = page;
  const enterScreen = async ({ signal, ...args }: EnterArgs) => {
    const { pathname, search } = args.url;
    if (needsOwnDocument(page)) {
      saveForNextDocument();
      return { redirectTo: pathname + search, inNewDocument: true } as const;
    }
    return enter({ name, guard, url: args.url, signal }, () => preload?.(args));
  };
  const handle: ScreenHandle = {
    path,
    name,
    title,
    isReadableOffline,
    lazy: lazy ?? null,
    preload,
    enter: enterScreen,
  };
  const route = { id: name, path: routePath(path), handle };
  return component ? { ...route, Component: component } : route;
}

/** A layout around child routes, each with its own guard. */
export function layout(Component: ComponentType, children: Route[]): Route {
  return { Component, children };
}

export type RedirectHandle = Redirect & { path: string };

/** `*` is any other path of the host. */
export function redirectFrom(path: string, to: string): Route {
  const handle: RedirectHandle = { path, redirectTo: to };
  return { path, handle };
}

/** Converts `/orders/{id}` of the contract to `/orders/:id`. */
export function routePath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

export function pageTitle(title: string | null, brand: string): string {
  return title === null ? brand : `${title} | ${brand}`;
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
