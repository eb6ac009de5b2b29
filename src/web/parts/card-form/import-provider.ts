import type { Provider } from '#web/platform/card-provider/types.ts';

/** The provider's script is fetched only by those who enter a card or pay with one. */
export async function importProvider(): Promise<Provider> {
  const { loadProvider } = await import('#web/platform/card-provider/load-provider.ts');
  return loadProvider();
}
