import { expect, test } from 'vitest';
import { createClassNames } from '#web/build/class-names.ts';

test('a class of a CSS module gets a short name, which depends on the file’s place in the project alone', () => {
  const here = createClassNames('/here')('card', '/here/ui/card.module.css');
  expect(here).toMatch(/^card_[\w-]{3}$/);
  expect(createClassNames('/there')('card', '/there/ui/card.module.css')).toBe(here);
  expect(createClassNames('/here')('card', '/here/ui/tabs.module.css')).not.toBe(here);
});

test('two files whose names would be the same end the build', () => {
  const name = createClassNames('/');
  const nameMany = () => {
    for (let at = 0; at < 5_000; at += 1) name('card', `/${at}.module.css`);
  };
  expect(nameMany).toThrow(/have the same id. Rename one/);
});
