import { vi } from 'vitest';

// Every store of the browser's code is tracked, so that a test can open a new page: `resetStores` sets them all back.
vi.mock('#web/platform/create-store.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('#web/platform/create-store.ts')>();
  const { trackStore } = await import('#tests/web/platform/reset-stores.ts');
  return {
    ...original,
    createStore: <State>(initial: State) => trackStore(original.createStore(initial)),
  };
});
