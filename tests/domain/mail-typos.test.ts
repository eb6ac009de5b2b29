import { describe, expect, test } from 'vitest';
import { suggestEmail } from '#domain/format/mail-typos.ts';

describe('suggestEmail', () => {
  test.each([
    ['ana@gmial.com', 'ana@gmail.com'],
    ['ana@gmai.com', 'ana@gmail.com'],
    ['ana@gmail.con', 'ana@gmail.com'],
    ['ana@gmail.co', 'ana@gmail.com'],
    ['ana@gmaill.com', 'ana@gmail.com'],
    ['Ana.Diaz@HOTMIAL.COM', 'Ana.Diaz@hotmail.com'],
    ['ana@outlok.com ', 'ana@outlook.com'],
    ['ana@t-onlin.de', 'ana@t-online.de'],
  ])('reads %s as %s', (typed, meant) => {
    expect(suggestEmail(typed)).toBe(meant);
  });

  test.each([
    'ana@gmail.com',
    'ana@ymail.com',
    'ana@mail.com',
    'ana@harborline.example',
    'ana@gmx.de',
    '@gmial.com',
    'ana',
    '',
  ])('asks nothing about "%s"', (typed) => {
    expect(suggestEmail(typed)).toBeNull();
  });
});
