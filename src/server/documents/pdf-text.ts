import createBidi from 'bidi-js';
import LineBreaker from 'linebreak';
import { isRightToLeft } from '#domain/format/text-direction.ts';
import { getWeight, hasOwnGlyphs, selectFont } from './pdf-fonts.ts';
import type { Pdf } from './pdf-tags.ts';

/*
 * Texts in scripts that the product's own font lacks, and texts from right to left. pdfkit draws a text in one font and one
 * direction, so they are split into lines, and lines into runs of one font and one direction.
 */

type TextOptions = PDFKit.Mixins.TextOptions;
type PlaceAndOptions = [x?: number, y?: number, options?: TextOptions];
/** `level`: odd if read from right to left (Unicode, UAX 9); `start`: in the line. */
type Run = { text: string; font: string; level: number; start: number };

const bidi = createBidi();
/** Characters as readers count them, with their accents and vowel signs. */
const clusters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const CONTROLS = /[\p{Bidi_Control}\p{Variation_Selector}]/gu;

/** Lets `pdf.text` draw every script whose font is installed; characters without a font are drawn as U+FFFD. */
export function drawEveryScript(pdf: Pdf): void {
  const draw = pdf.text.bind(pdf);
  pdf.text = ((text: string, ...rest: PlaceAndOptions) => {
    if (isPlain(pdf, text)) return draw(text, ...rest);
    const [x = pdf.x, y = pdf.y, options = {}] = rest;
    drawLines(pdf, text, { x, y, options, draw });
    return pdf;
  }) as Pdf['text'];
}

/** The width of a text on one line, in points. */
export function measureText(pdf: Pdf, text: string): number {
  return isPlain(pdf, text) ? pdf.widthOfString(text) : measureRuns(pdf, splitRuns(pdf, text));
}

function isPlain(pdf: Pdf, text: string): boolean {
  return !isRightToLeft(text) && hasOwnGlyphs(text, getWeight(pdf));
}

function drawLines(
  pdf: Pdf,
  text: string,
  { x, y, options, draw }: { x: number; y: number; options: TextOptions; draw: Pdf['text'] },
): void {
  const width = options.width ?? pdf.page.width - pdf.page.margins.right - x;
  pdf.y = y;
  for (const line of fitLines(pdf, breakLines(pdf, text, width), { ...options, width })) {
    const runs = splitRuns(pdf, line);
    const { ascent, height } = measureHeight(pdf, runs);
    if (pdf.y + height > pdf.page.maxY()) pdf.continueOnNewPage();
    const top = pdf.y;
    let left = x + (width - measureRuns(pdf, runs)) * shareBefore(options.align);
    pdf.markContent('Span', { actual: line.replaceAll(CONTROLS, '') });
    for (const run of runs) {
      pdf.font(run.font);
      draw(run.text, left, top + ascent, { lineBreak: false, features: [], baseline: 'alphabetic' });
      left += measureRun(pdf, run);
    }
    pdf.endMarkedContent();
    pdf.y = top + height;
  }
  pdf.x = x;
  pdf.font(getWeight(pdf));
}

/** The part of a line's free width that stands before it. */
function shareBefore(align: string | undefined): number {
  if (align === 'right') return 1;
  return align === 'center' ? 0.5 : 0;
}

/** Lines as wide as they may be; only a word that is wider than a line is divided. */
function breakLines(pdf: Pdf, text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  const add = (piece: string) => {
    if (line !== '' && measureText(pdf, (line + piece).trimEnd()) > width) {
      lines.push(line.trimEnd());
      line = '';
    }
    line += piece;
  };
  const breaker = new LineBreaker(text);
  let start = 0;
  for (let end = breaker.nextBreak(); end !== null; end = breaker.nextBreak()) {
    const word = text.slice(start, end.position);
    const fits = measureText(pdf, word.trimEnd()) <= width;
    for (const piece of fits ? [word] : listClusters(word)) add(piece);
    start = end.position;
  }
  return [...lines, line.trimEnd()];
}

/** The lines that fit; the last one ends with an ellipsis if others are left out. */
function fitLines(
  pdf: Pdf,
  lines: readonly string[],
  { width, height = Number.POSITIVE_INFINITY, ellipsis }: TextOptions & { width: number },
): readonly string[] {
  const count = Math.max(1, Math.floor(height / pdf.currentLineHeight()));
  if (lines.length <= count) return lines;
  const [last = '', ...others] = lines.slice(0, count).reverse();
  if (!ellipsis) return [...others.reverse(), last];
  let shown = listClusters(last);
  while (measureText(pdf, `${shown.join('')}…`) > width) shown = shown.slice(0, -1);
  return [...others.reverse(), `${shown.join('').trimEnd()}…`];
}

function listClusters(text: string): string[] {
  return Array.from(clusters.segment(text), ({ segment }) => segment);
}

/** The runs of a line, in the order in which they stand from left to right. */
function splitRuns(pdf: Pdf, line: string): Run[] {
  const weight = getWeight(pdf);
  const embedding = bidi.getEmbeddingLevels(line, 'ltr');
  const runs: Run[] = [];
  for (const { segment, index } of clusters.segment(line)) {
    const cluster = segment.replaceAll(CONTROLS, '');
    if (cluster === '') continue;
    const level = embedding.levels[index] ?? 0;
    const selected = selectFont(pdf, cluster, weight);
    const font = selected ?? weight;
    const drawable =
      selected === null ? replaceMissing(cluster, (each) => hasOwnGlyphs(each, weight)) : cluster;
    const text = isOdd(level) ? (bidi.getMirroredCharacter(drawable) ?? drawable) : drawable;
    const last = runs.at(-1);
    if (last?.font === font && last.level === level) last.text += text;
    else runs.push({ text, font, level, start: index });
  }
  const places = new Map(bidi.getReorderedIndices(line, embedding).map((index, place) => [index, place]));
  const placeOf = ({ start }: Run) => places.get(start) ?? 0;
  return runs.map(turnForFontkit).sort((one, other) => placeOf(one) - placeOf(other));
}

function replaceMissing(cluster: string, hasGlyph: (character: string) => boolean): string {
  return Array.from(cluster, (character) => (hasGlyph(character) ? character : '\ufffd')).join('');
}

/** fontkit turns a run if its script is written from right to left, but not its spaces and signs alone. */
function turnForFontkit(run: Run): Run {
  if (isOdd(run.level) === isRightToLeft(run.text)) return run;
  return { ...run, text: Array.from(run.text).reverse().join('') };
}

function isOdd(level: number): boolean {
  return level % 2 === 1;
}

/** Of the tallest font of a line; at least that of a line in the product's own font. */
function measureHeight(pdf: Pdf, runs: readonly Run[]): { ascent: number; height: number } {
  const fonts = [getWeight(pdf), ...runs.map(({ font }) => font)].map((font) => {
    pdf.font(font);
    return { ascent: ascentOf(pdf), height: pdf.currentLineHeight() };
  });
  return {
    ascent: Math.max(...fonts.map(({ ascent }) => ascent)),
    height: Math.max(...fonts.map(({ height }) => height)),
  };
}

/** pdfkit's types lack the font and its size. */
function ascentOf(pdf: Pdf): number {
  const { _font, _fontSize } = pdf as Pdf & { _font: { ascender: number }; _fontSize: number };
  return (_font.ascender / 1000) * _fontSize;
}

function measureRuns(pdf: Pdf, runs: readonly Run[]): number {
  const width = runs.reduce((sum, run) => sum + measureRun(pdf, run), 0);
  pdf.font(getWeight(pdf));
  return width;
}

function measureRun(pdf: Pdf, { text, font }: Run): number {
  return pdf.font(font).widthOfString(text, { features: [] });
}
