import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  ENGINE_DEPENDENT,
  NOT_VERSION_DEPENDENT,
  ONLY_EMBEDDED,
  VERSION_DEPENDENT,
} from './setup/server-tests.ts';

test.each([
  ...new Set([...ONLY_EMBEDDED, ...ENGINE_DEPENDENT, ...VERSION_DEPENDENT, ...NOT_VERSION_DEPENDENT]),
])('%s, which chooses the engine of server tests, names existing files', (pattern) => {
  // Each alternative of a pattern, because a folder that was renamed would no longer be tested.
  const [, before = pattern, names = '', after = ''] = /^(.*)\{(.*)\}(.*)$/.exec(pattern) ?? [];
  for (const name of names.split(',')) expect(globSync(before + name + after), name).not.toEqual([]);
});
