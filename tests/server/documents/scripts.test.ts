import PDFDocument from 'pdfkit';
import { describe, expect, test, vi } from 'vitest';
import { setWeight } from '#server/documents/pdf-fonts.ts';
import { createPdf } from '#server/documents/pdf-parts.ts';
import { demoSettings } from '#tests/factories/settings.ts';

/** pdfkit's types lack the font in use. */
type WithFont = { _font: { font: { layout: (text: string) => { glyphs: { id: number }[] } } } };

describe.each([
  ['Latin', 'Zoë Ångström-Şahin'],
  ['Greek', 'Ελένη Παπαδοπούλου'],
  ['Cyrillic', 'Жанна Ковальова'],
  ['Armenian', 'Արամ Խաչատրյան'],
  ['Arabic', 'محمد العلي'],
  ['Hebrew', 'דוד כהן'],
  ['Devanagari', 'प्रिया शर्मा'],
  ['Bengali', 'রহিম উদ্দিন'],
  ['Thai', 'สมชาย ใจดี'],
  ['Japanese', '佐藤 花子'],
  ['Korean', '김민준'],
  ['several scripts', 'Ada 佐藤 Жанна דוד สมชาย'],
])('a name in %s', (_, name) => {
  test.each(['regular', 'bold'] as const)(
    'is drawn whole, with a glyph for each character (%s)',
    (weight) => {
      const runs: { text: string; glyphs: number[] }[] = [];
      const draw = PDFDocument.prototype.text;
      const drawn = vi.spyOn(PDFDocument.prototype, 'text').mockImplementation(function (
        this: typeof PDFDocument.prototype,
        ...call: unknown[]
      ) {
        const text = String(call[0]);
        const { glyphs } = (this as unknown as WithFont)._font.font.layout(text);
        runs.push({ text, glyphs: glyphs.map(({ id }) => id) });
        return draw.apply(this, call as Parameters<typeof draw>);
      });
      const pdf = createPdf(demoSettings, { title: name, createdAt: new Date(0), locale: 'en-US' });
      pdf.addPage();
      setWeight(pdf, weight);
      pdf.fontSize(16).text(name, 50, 50, { width: 400 });
      drawn.mockRestore();
      const letters = (text: string) => Array.from(text.replaceAll(/\s/g, '')).toSorted();
      expect(letters(runs.map(({ text }) => text).join(''))).toEqual(letters(name));
      expect(runs.flatMap(({ glyphs }) => glyphs)).not.toContain(0);
    },
  );
});
