import type { Provider } from '#web/platform/card-provider/types.ts';

/** The provider's script is loaded only where a card is entered or paid with. */
export async function importProvider(): Promise<Provider> {
  const { loadProvider } = await import('#web/platform/card-provider/load-provider.ts');
  return loadProvider();
}
