import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatBoardingCode, newBoardingCode } from '#domain/boarding-code.ts';
import {
  CODE_ALPHABET,
  checkCharacter,
  isCheckedCode,
  normalizeCode,
  withCheckCharacter,
} from '#domain/check-character.ts';

const character = fc.constantFrom(...CODE_ALPHABET);
const body = fc.string({ unit: character, minLength: 1, maxLength: 12 });

describe('check characters', () => {
  it('accept every code they were made for', () => {
    fc.assert(fc.property(body, (text) => isCheckedCode(withCheckCharacter(text))));
  });

  it('catch every single wrong character', () => {
    fc.assert(
      fc.property(body, fc.nat(), character, (text, place, wrong) => {
        const code = withCheckCharacter(text);
        const at = place % code.length;
        fc.pre(code[at] !== wrong);
        return !isCheckedCode(code.slice(0, at) + wrong + code.slice(at + 1));
      }),
    );
  });

  it('catch every swap of two neighbours', () => {
    fc.assert(
      fc.property(body, fc.nat(), (text, place) => {
        const code = withCheckCharacter(text);
        const at = place % (code.length - 1);
        const [left = '', right = ''] = [code[at], code[at + 1]];
        fc.pre(left !== right);
        return !isCheckedCode(code.slice(0, at) + right + left + code.slice(at + 2));
      }),
    );
  });

  it('refuse what is too short, too long or written with other characters', () => {
    for (const code of ['', '2', '0O', 'K7M4QXI1', 'k7m4qxpa', '2'.repeat(40)]) {
      expect(isCheckedCode(code)).toBe(false);
    }
    expect(() => checkCharacter('')).toThrow(RangeError);
    expect(() => checkCharacter('O')).toThrow(RangeError);
  });

  it('are found in what people type with spaces, dashes and small letters', () => {
    const code = withCheckCharacter('K7M4QXP');
    expect(isCheckedCode(normalizeCode(` ${code.slice(0, 3).toLowerCase()}-${code.slice(3)} `))).toBe(true);
  });
});

describe('boarding codes', () => {
  it('have eight characters of the alphabet, the last one a check', () => {
    let next = 0;
    const code = newBoardingCode((below) => {
      next += 7;
      return next % below;
    });
    expect(code).toMatch(/^[2-9A-HJKMNP-Z]{8}$/);
    expect(isCheckedCode(code)).toBe(true);
  });

  it('are printed in two groups of four', () => {
    expect(formatBoardingCode('K7M4QXPA')).toBe('K7M4 QXPA');
  });
});
