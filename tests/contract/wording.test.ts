import { expect, test } from 'vitest';
import type { FarePolicy } from '#contract/catalogue/schemas.ts';
import { CLIENT_TEXTS } from '#contract/client-errors.ts';
import { apiErrors } from '#contract/errors.ts';
import { presentDecline } from '#contract/payments/declines.ts';
import { describePolicy } from '#sentences/fare-policy.ts';
import { textsIn } from '#server/core/texts.ts';
import { writeVariants } from '#tests/factories/message-variants.ts';
import { collectTexts } from '#tests/factories/screen-texts.ts';
import { findHardSentences } from '#tests/factories/wording.ts';

test('no sentence of an error is longer than twenty words or negates twice', () => {
  const messages = Object.values(apiErrors).map(({ message }): string => message);
  expect([...messages, ...Object.values(CLIENT_TEXTS)].flatMap(findHardSentences)).toEqual([]);
});

test.each([
  'insufficient_funds',
  'incorrect_number',
  'incorrect_cvc',
  'invalid_expiry_year',
  'incorrect_zip',
  'card_velocity_exceeded',
  'card_not_supported',
  'processing_error',
  'payment_intent_authentication_failure',
])('no message about a payment declined for %s is longer than twenty words or negates twice', (reason) => {
  expect(findHardSentences(presentDecline(textsIn('en'), reason).message)).toEqual([]);
});

test('no fare rule, before and after its deadlines, is a sentence that is too long or negates twice', () => {
  const departure = { departsAt: Date.parse('2026-06-06T22:20:00Z'), zone: 'America/Los_Angeles' };
  const back = { departsAt: Date.parse('2026-06-08T16:00:00Z'), zone: 'America/Los_Angeles' };
  const cancel = [
    { until_minutes_before: 1440, refund_bp: 10_000, fee: 250 },
    { until_minutes_before: 60, refund_bp: 5000, fee: 0 },
  ];
  const policies: FarePolicy[] = [
    { change: { allowed: true, fee: 500, until_minutes: 90 }, cancel, no_show: 'travel_next_same_day' },
    { change: { allowed: false, fee: 0, until_minutes: 0 }, cancel: [], no_show: 'forfeit' },
  ];
  const sentences = policies.flatMap((policy) =>
    [0, departure.departsAt].flatMap((now) =>
      [[departure], [departure, back]].flatMap(([out = departure, second]) =>
        describePolicy(textsIn('en'), policy, { currency: 'USD', language: 'en-US' }, [out, second], now),
      ),
    ),
  );
  expect(sentences.length).toBeGreaterThan(10);
  expect(sentences.flatMap(findHardSentences)).toEqual([]);
});

/** Folders whose texts passengers read: on screens, in documents, as a sailing's availability, as an order's notice. */
const FOLDERS_WITH_TEXTS = [
  'src/web',
  'src/domain',
  'src/server/documents',
  'src/server/sailings',
  'src/server/orders',
  'src/server/demo',
];
/** Folders that only developers and operators read: build plugins, the design system's gallery, shell commands. */
const FOR_DEVELOPERS = /^src\/(web\/(build|ui\/gallery)|server\/sailings\/feed)/;

test.each(FOLDERS_WITH_TEXTS)('no text in %s has a sentence that is too long or negates twice', (folder) => {
  const texts = collectTexts(folder).filter(({ file }) => !FOR_DEVELOPERS.test(file));
  const hard = texts.flatMap(({ file, text }) =>
    findHardSentences(text).map((sentence) => `${file}: ${sentence}`),
  );
  expect(texts.length).toBeGreaterThan(0);
  expect(hard).toEqual([]);
});

test('a sentence is collected whole, with the links and expressions in it, and so are texts in attributes', () => {
  const texts = collectTexts('src/web/tickets/confirmation').map(({ text }) => text);
  expect(texts).toContain('Wrong address?');
  expect(texts).toContain('Your tickets are also on this page. …, and give your order reference, ….');
});

test('of a message with plurals, choices and tags, every text that it can become is read', () => {
  expect(
    writeVariants('Pay <b>{amount}</b>. {n, plural, one {# seat} other {<b># seats</b>}} <link></link>'),
  ).toEqual(['Pay …. … seat …', 'Pay …. … seats …']);
});

test('long sentences and double negations are found', () => {
  const long = `${'word '.repeat(20)}more.`;
  expect(findHardSentences(`Short. ${long} It is not without cost. Don’t do nothing.`)).toEqual([
    long,
    'It is not without cost.',
    'Don’t do nothing.',
  ]);
});
