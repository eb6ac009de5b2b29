import { TRUSTED_MARKUP, TRUSTED_SCRIPTS } from '#contract/trusted-types.ts';
import { WORKER_PATH } from '#contract/worker-messages.ts';
import { pageConfig } from './page-config.ts';

/*
 * Every script address and every text parsed as markup is checked here first. Browsers with trusted types report any
 * that bypass these checks; in other browsers the checks return plain text.
 */

/**
 * For `src` of a script, a worker and the service worker.
 * @throws {TypeError} for a script that is neither ours nor configured
 */
export function trustedScript(address: string): string {
  return findPolicy(TRUSTED_SCRIPTS, { createScriptURL: requireTrustedScript }).createScriptURL(
    address,
  ) as string;
}

/**
 * For `innerHTML` with the markup of one of our screens.
 * @throws {TypeError} if part of it could run
 */
export function trustedMarkup(text: string): string {
  return findPolicy(TRUSTED_MARKUP, { createHTML: inertMarkup }).createHTML(text) as string;
}

/** Creates values that the browser's own setters accept, and that read as text elsewhere. */
type Rule<Name extends string> = Record<Name, (text: string) => unknown>;

type PolicyFactory = { createPolicy: <Name extends string>(name: string, rule: Rule<Name>) => Rule<Name> };

/** A page may create each policy only once. */
const policies = new WeakMap<PolicyFactory, Map<string, object>>();

function findPolicy<Name extends string>(name: string, rule: Rule<Name>): Rule<Name> {
  const { trustedTypes } = window as { trustedTypes?: PolicyFactory };
  if (trustedTypes === undefined) return rule;
  const created = policies.get(trustedTypes) ?? new Map<string, object>();
  policies.set(trustedTypes, created);
  const policy = created.get(name) ?? trustedTypes.createPolicy(name, rule);
  created.set(name, policy);
  return policy as Rule<Name>;
}

/** The tag manager and the session recorder, followed by an id. */
const WATCHERS = ['https://www.googletagmanager.com/gtm.js?id=', 'https://static.hotjar.com/c/hotjar-'];

function requireTrustedScript(address: string): string {
  const { href, origin, pathname } = new URL(address, window.location.href);
  const { provider, version } = pageConfig();
  const isOurs = pathname === WORKER_PATH || pathname.startsWith('/assets/') || version === 'development';
  const isTrusted =
    (origin === window.location.origin && isOurs) ||
    href === provider.script_url ||
    WATCHERS.some((start) => href.startsWith(start));
  if (!isTrusted) throw new TypeError(`No script of this page: ${origin}${pathname}`);
  return address;
}

/** A screen's text may match it too: such a screen gets no snapshot. */
const RUNS = /<(script|iframe|object|embed|base|link|meta|style|template)\b|\son[a-z]+=|javascript:/i;

function inertMarkup(text: string): string {
  if (RUNS.test(text)) throw new TypeError('The markup holds what could run.');
  return text;
}
