import { type Browser, chromium } from 'playwright';
import { BROWSER_FLAGS } from '../../e2e/support/find-browser.ts';
import type { VisitorProxy } from '../../e2e/support/proxy.ts';
import type { Product } from './product.ts';

/** A browser whose connection to the product the tests can script. */
export type ScriptedConnection = { proxy: VisitorProxy; browser: Browser; close: () => Promise<void> };

export async function openScriptedConnection(
  product: Product,
  executablePath: string,
): Promise<ScriptedConnection> {
  // It reads the product's port when it is loaded.
  process.env.E2E_PORT = String(product.port);
  const { openProxy } = await import('../../e2e/support/proxy.ts');
  const proxy = await openProxy();
  const browser = await chromium.launch({
    executablePath,
    args: BROWSER_FLAGS,
    proxy: { server: proxy.url },
  });
  return {
    proxy,
    browser,
    async close() {
      await browser.close();
      await proxy.close();
    },
  };
}
