import type { Stripe } from '@stripe/stripe-js';
import type { PageConfig } from '#contract/settings/schemas.ts';
import { findOfferedLanguage, SOURCE_LANGUAGE } from '#messages/languages.ts';
import { textLanguage } from '#web/language/page-language.ts';
import { createStore } from '../create-store.ts';
import { pageConfig } from '../page-config.ts';
import { trustedScript } from '../trusted-types.ts';

const FAILED = 'Failed to load Stripe.js';

/**
 * Loads the card provider's script, once per page. Import this module lazily to keep it out of the first bundle.
 * Rejects with "Failed to load Stripe.js"; the next call retries.
 */
export function loadProvider(config: PageConfig['provider'] = pageConfig().provider): Promise<Stripe> {
  const current = loading.get();
  if (current !== null) return current;
  const provider = load(config).catch((error: unknown) => {
    loading.set(null);
    throw error;
  });
  loading.set(provider);
  return provider;
}

const loading = createStore<Promise<Stripe> | null>(null);

async function load(config: PageConfig['provider']): Promise<Stripe> {
  const { loadStripe } = await import('@stripe/stripe-js/pure');
  await ensureScript(config.script_url);
  // The provider has no pseudo-languages. By itself it would follow the browser, whatever the visitor has chosen.
  const locale = findOfferedLanguage(textLanguage()) ?? SOURCE_LANGUAGE;
  const stripe = await loadStripe(config.publishable_key, { locale });
  if (stripe === null) throw new Error(FAILED);
  return stripe;
}

/** The library would load its script from the provider's address only, but uses a script that is already there. */
function ensureScript(src: string): Promise<void> {
  if ('Stripe' in window) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = trustedScript(src);
    script.onload = () => resolve();
    script.onerror = () => {
      script.remove();
      reject(new Error(FAILED));
    };
    document.head.append(script);
  });
}
