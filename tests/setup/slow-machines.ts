import { expect } from 'vitest';

// A busy machine may take longer than the library's second until a screen shows what it loaded.
if (expect.getState().testPath?.endsWith('.tsx')) {
  const { configure } = await import('@testing-library/dom');
  configure({ asyncUtilTimeout: 10_000 });
}
