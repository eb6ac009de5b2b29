import { expect, test } from 'vitest';
import { findProblems, readSources } from '#messages/build/catalogue-files.ts';
import { readMessages } from '#messages/build/read-messages.ts';
import { readTranslations } from '#messages/catalogues/catalogue.ts';
import type { Translate } from '#messages/translate.ts';
import { textsIn } from '#server/core/texts.ts';
import { findUntranslated } from '#tests/factories/untranslated-texts.ts';

const sources = readSources();

test('every message is well formed, used, and translated into every language with the same placeholders', () => {
  expect(sources.size).toBeGreaterThan(0);
  expect(findProblems(sources)).toEqual([]);
});

test.each([
  { language: 'de' as const, rule: 'no quotation marks of another language', wrong: /[«»"]|(?<!„[^“]*)“|”/ },
  { language: 'nb' as const, rule: 'no quotation marks of another language', wrong: /[„“”"]/ },
  { language: 'fr' as const, rule: 'no quotation marks of another language', wrong: /[„“”"]/ },
  {
    language: 'fr' as const,
    rule: 'no space that may break a line before : ! ? ; or in « »',
    wrong: / [:!?;»]|« /,
  },
])('texts in $language have $rule', ({ language, wrong }) => {
  const texts = [...readTranslations(language).values()].filter((text) => wrong.test(text));
  expect(texts).toEqual([]);
});

test('a malformed message is found, and so is one whose placeholder is not closed', () => {
  const texts = ['{count, plural, one {# seat}}', 'Pay {amount'];
  const problems = findProblems(new Map(texts.map((text) => [text, []])));
  const found = texts.map((text) =>
    problems.filter((problem) => problem.startsWith(`${text}: is malformed`)),
  );
  expect(found.map(({ length }) => length)).toEqual([1, 1]);
});

test('messages are read from calls, with both texts of a condition', () => {
  const code =
    "const f = () => [t('One'), t(a ? 'Two' : `Three`), rich('<b>Four</b>', {}), x('Five')]; message('Six');";
  expect(readMessages('file.ts', code).map(({ text }) => text)).toEqual([
    'One',
    'Two',
    'Three',
    '<b>Four</b>',
    'Six',
  ]);
});

test('a text with a context is translated by it, and is shown without it', () => {
  expect(['en', 'de', 'nb'].map((language) => writeCanceled(textsIn(language)))).toEqual([
    ['Canceled', 'Canceled'],
    ['Fällt aus', 'Storniert'],
    ['Innstilt', 'Avbestilt'],
  ]);
});

function writeCanceled(t: Translate): string[] {
  return [t('Canceled|a sailing'), t('Canceled|tickets')];
}

test('a message that is written while its module loads is refused, because the language is not known yet', () => {
  expect(() => readMessages('file.ts', "const title = t('Title');")).toThrow('mark it with message()');
});

/** The mails that the operator gets, with commands to run. */
const OF_THE_OPERATOR = 'src/server/mail/templates/operator.ts';

test.each([
  'src/sentences',
  'src/server/documents',
  'src/server/mail',
  'src/server/pages',
  'src/web/app',
  'src/web/features/consent',
  'src/web/features/install',
  'src/web/features/mailed-code',
  'src/web/features/order',
  'src/web/features/payment',
  'src/web/features/sailing',
  'src/web/features/saved-offline',
  'src/web/features/site',
  'src/web/features/ticket',
  'src/web/features/trip-card',
  'src/web/platform/forms',
  'src/web/portal',
  'src/web/tickets',
  'src/web/ui/calendar',
  'src/web/ui/data',
  'src/web/ui/feedback',
  'src/web/ui/form',
  'src/web/ui/layout',
  'src/web/ui/popup',
])('%s shows no text that is not a message', (folder) => {
  const texts = findUntranslated(folder).filter((text) => !text.startsWith(OF_THE_OPERATOR));
  expect(texts).toEqual([]);
});
