// happy-dom would send a request that no test answers to the network. It stays unanswered until its sender aborts it.
if (globalThis.document) {
  globalThis.fetch = (_, init) =>
    new Promise((_resolve, reject) => {
      init?.signal?.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')));
    });
}
