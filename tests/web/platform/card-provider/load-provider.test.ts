import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { setTextLanguage } from '#web/language/page-language.ts';
import { loadProvider } from '#web/platform/card-provider/load-provider.ts';
import { buildPageConfig, openPage } from '../page.ts';

const { provider } = buildPageConfig();
const added: HTMLScriptElement[] = [];

beforeEach(() => {
  openPage();
  added.length = 0;
  // The script is not added to the page, so that nothing is fetched.
  vi.spyOn(document.head, 'append').mockImplementation((...nodes) => {
    for (const node of nodes) if (node instanceof HTMLScriptElement) added.push(node);
  });
});
afterEach(() => {
  Reflect.deleteProperty(window, 'Stripe');
  setTextLanguage('en-US');
});

async function nthScript(count: number): Promise<HTMLScriptElement | undefined> {
  await vi.waitFor(() => expect(added).toHaveLength(count));
  return added.at(-1);
}

test('the card provider’s script comes from the configured address and gets the key and the page’s language', async () => {
  setTextLanguage('de');
  const loading = loadProvider(provider);
  const script = await nthScript(1);
  expect(script?.src).toBe(provider.script_url);
  const made = { elements: () => undefined };
  const Stripe = Object.assign(
    vi.fn(() => made),
    { version: 'endive' },
  );
  Reflect.set(window, 'Stripe', Stripe);
  script?.onload?.(new Event('load'));
  expect(await loading).toBe(made);
  expect(Stripe).toHaveBeenCalledWith('pk_test_1', { locale: 'de' });
  expect(loadProvider(provider)).toBe(loadProvider(provider));
});

test('loading the card provider fails with a known message, and can be tried again', async () => {
  for (const attempt of [1, 2]) {
    const failure = loadProvider(provider).catch((error: unknown) => error);
    (await nthScript(attempt))?.onerror?.(new Event('error'));
    expect(await failure).toMatchObject({ message: 'Failed to load Stripe.js' });
  }
});
