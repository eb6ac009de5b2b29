import wasmUrl from 'zxing-wasm/reader/zxing_reader.wasm?url';

/** Caches of the page's own: the worker keeps them over its releases, and answers from them. */
const CACHE = 'gate-scanner';

/** The reader of codes, from the device or else from this origin, after which it is kept on the device. */
export async function fetchReader(): Promise<ArrayBuffer> {
  const cache = await openCache();
  const kept = await cache?.match(wasmUrl).catch(() => undefined);
  if (kept) return kept.arrayBuffer();
  const response = await fetch(wasmUrl);
  if (!response.ok) throw new Error(`The reader of codes answered ${response.status}.`);
  if (cache) {
    const older = await cache.keys();
    await Promise.all(older.map((request) => cache.delete(request)));
    await cache.put(wasmUrl, response.clone());
  }
  return response.arrayBuffer();
}

/** Keeps the reader before it is needed, so that the camera also starts for the first time without a connection. */
export async function keepReader(): Promise<void> {
  if (await openCache()) await fetchReader();
}

/** Missing in insecure contexts, and blocked in some private modes. */
async function openCache(): Promise<Cache | null> {
  try {
    return await caches.open(CACHE);
  } catch {
    return null;
  }
}
