import { afterEach, describe, expect, test } from 'vitest';
import { EmailSchema, plainText } from '#contract/common.ts';

const { isWellFormed } = String.prototype;
afterEach(() => {
  String.prototype.isWellFormed = isWellFormed;
});

describe('plainText', () => {
  const Name = plainText(1, 20);

  test.each(['\ud83d', 'Ana \udea2', '\udea2\ud83d'])('refuses text with a lone surrogate', (text) => {
    expect(Name.safeParse(text).success).toBe(false);
  });

  test.each(['Ana', 'Bjørn 🚢', '山田', '\u{10ffff}'])('accepts %s', (text) => {
    expect(Name.parse(text)).toBe(text);
  });

  test('works in browsers without String.isWellFormed', () => {
    // @ts-expect-error Chrome below 111 and Firefox below 119 do not have it.
    delete String.prototype.isWellFormed;
    expect(Name.safeParse('Ana 🚢').success).toBe(true);
    expect(Name.safeParse('Ana \ud83d').success).toBe(false);
  });
});

describe('EmailSchema', () => {
  test('refuses a lone surrogate and works in browsers without String.isWellFormed', () => {
    // @ts-expect-error See above.
    delete String.prototype.isWellFormed;
    expect(EmailSchema.parse('ana@example.com')).toBe('ana@example.com');
    expect(EmailSchema.safeParse('ana\ud83d@example.com').success).toBe(false);
  });
});
