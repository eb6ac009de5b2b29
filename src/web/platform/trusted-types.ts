import { TRUSTED_MARKUP, TRUSTED_SCRIPTS } from '#contract/trusted-types.ts';
import { WORKER_PATH } from '#contract/worker-messages.ts';
import { pageConfig } from './page-config.ts';

/*
 * Every address of a script, and every text that is read as markup, is looked at here before the browser gets it.
 * Browsers that know trusted types report whatever comes to them another way; the others get the same as plain text.
 */

/** For `src` of a script, a worker and the service worker. @throws {TypeError} for any but ours and those configured */
export function trustedScript(address: string): string {
  scripts ??= policy(TRUSTED_SCRIPTS, { createScriptURL: knownScript });
  return scripts.createScriptURL(address) as string;
}

/** For `innerHTML`: what a screen of ours looked like. @throws {TypeError} when something in it could run */
export function trustedMarkup(text: string): string {
  markup ??= policy(TRUSTED_MARKUP, { createHTML: inertMarkup });
  return markup.createHTML(text) as string;
}

/** Makes objects that only the browser's own setters take, and that read as text everywhere else. */
type Rule<Name extends string> = Record<Name, (text: string) => unknown>;

let scripts: Rule<'createScriptURL'> | undefined;
let markup: Rule<'createHTML'> | undefined;

function policy<Name extends string>(name: string, rule: Rule<Name>): Rule<Name> {
  const { trustedTypes } = window as {
    trustedTypes?: { createPolicy: (name: string, rule: Rule<Name>) => Rule<Name> };
  };
  return trustedTypes?.createPolicy(name, rule) ?? rule;
}

/** The tag manager and the session recorder, each with its id behind. */
const WATCHERS = ['https://www.googletagmanager.com/gtm.js?id=', 'https://static.hotjar.com/c/hotjar-'];

function knownScript(address: string): string {
  const { href, origin, pathname } = new URL(address, window.location.href);
  const { provider, version } = pageConfig();
  const isOurs = pathname === WORKER_PATH || pathname.startsWith('/assets/') || version === 'development';
  const isKnown =
    (origin === window.location.origin && isOurs) ||
    href === provider.script_url ||
    WATCHERS.some((start) => href.startsWith(start));
  if (!isKnown) throw new TypeError(`No script of this page: ${origin}${pathname}`);
  return address;
}

/** What a screen merely says may read like it too: such a screen has no picture. */
const RUNS = /<(script|iframe|object|embed|base|link|meta|style|template)\b|\son[a-z]+=|javascript:/i;

function inertMarkup(text: string): string {
  if (RUNS.test(text)) throw new TypeError('The markup holds what could run.');
  return text;
}
