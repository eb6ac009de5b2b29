import { describe, expect, it } from 'vitest';
import { formatCsvText, parseCsvText } from '#domain/price-files/csv-text.ts';

describe('parseCsvText', () => {
  it('reads quoted cells, any line endings and a byte order mark', () => {
    const text = '\ufeffCode,Name\r\na,"Ada, ""the"" first\nof all"\r\n\r\n b , \n';
    expect(parseCsvText(text)).toEqual({
      columns: ['code', 'name'],
      rows: [
        { code: 'a', name: 'Ada, "the" first\nof all' },
        { code: 'b', name: '' },
      ],
    });
  });

  it('reads cells that a short line lacks as empty', () => {
    expect(parseCsvText('a,b,c\n1').rows).toEqual([{ a: '1', b: '', c: '' }]);
  });

  it('reads a file of the demo operator and writes it as it was', async () => {
    const { readFileSync } = await import('node:fs');
    for (const name of ['fares.csv', 'promo_codes.csv']) {
      const text = readFileSync(new URL(`../../../src/server/demo/feed/${name}`, import.meta.url), 'utf8');
      expect(formatCsvText(parseCsvText(text))).toBe(text);
    }
  });
});

describe('formatCsvText', () => {
  it('quotes only cells that need it', () => {
    const rows = [{ code: 'a b', name: 'He said "1,50"' }];
    expect(formatCsvText({ columns: ['code', 'name'], rows })).toBe('code,name\na b,"He said ""1,50"""\n');
  });
});
