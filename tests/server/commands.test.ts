import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { commands } from '#server/commands.ts';

it('every command with an npm script can be sent to the running server', async () => {
  const scripts = globSync('src/server/**/*.ts').filter((file) =>
    /^if \(import\.meta\.main\) await runCommand\(/m.test(readFileSync(file, 'utf8')),
  );
  expect(scripts.length).toBeGreaterThan(2);
  for (const file of scripts) {
    const exported = Object.values<unknown>(await import(`../../${file}`));
    expect(
      exported.some((each) => commands.some((command) => command === each)),
      file,
    ).toBe(true);
  }
});

it('no two commands have the same name', () => {
  const names = commands.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});
