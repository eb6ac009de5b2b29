import { fileURLToPath } from 'node:url';
import PDFDocument from 'pdfkit';
import type { Pdf } from './pdf-tags.ts';

export type Weight = 'regular' | 'bold';

/** pdfkit's types lack the opened font, and that it accepts opened fonts. */
type OpenFont = Buffer & { hasGlyphForCodePoint: (codePoint: number) => boolean };

/** Installed with the product: Latin, Greek, Cyrillic, Armenian, Georgian, Hebrew, Arabic and more. */
const OWN_FONT = {
  regular: 'dejavu-fonts-ttf/ttf/DejaVuSans.ttf',
  bold: 'dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf',
} as const;

/** Packages that may be absent, and their subset. The first one that is installed and has a character draws it. */
const OPTIONAL_FONTS: readonly (readonly [family: string, subset: string])[] = [
  ['biz-udpgothic', 'japanese'],
  ['nanum-gothic', 'korean'],
  ['noto-sans-tc', 'chinese-traditional'],
  ['noto-sans-sc', 'chinese-simplified'],
  ['noto-sans-bengali', 'bengali'],
  ['noto-sans-devanagari', 'devanagari'],
  ['noto-sans-ethiopic', 'ethiopic'],
  ['noto-sans-gujarati', 'gujarati'],
  ['noto-sans-gurmukhi', 'gurmukhi'],
  ['noto-sans-kannada', 'kannada'],
  ['noto-sans-khmer', 'khmer'],
  ['noto-sans-lao', 'lao'],
  ['noto-sans-malayalam', 'malayalam'],
  ['noto-sans-myanmar', 'myanmar'],
  ['noto-sans-sinhala', 'sinhala'],
  ['noto-sans-tamil', 'tamil'],
  ['noto-sans-telugu', 'telugu'],
  ['noto-sans-thai', 'thai'],
];

const FILES: Record<Weight, readonly string[]> = { regular: listFiles('regular'), bold: listFiles('bold') };

function listFiles(weight: Weight): string[] {
  const number = weight === 'bold' ? 700 : 400;
  const optional = OPTIONAL_FONTS.map(
    ([family, subset]) => `@fontsource/${family}/files/${family}-${subset}-${number}-normal.woff`,
  );
  return [OWN_FONT[weight], ...optional];
}

const weights = new WeakMap<Pdf, Weight>();

/** Sets the product's own font for the texts that follow. */
export function setWeight(pdf: Pdf, weight: Weight): void {
  pdf.registerFont(weight, openFont(OWN_FONT[weight]));
  pdf.font(weight);
  weights.set(pdf, weight);
}

export function getWeight(pdf: Pdf): Weight {
  return weights.get(pdf) ?? 'regular';
}

/** Whether the product's own font has all characters. */
export function hasOwnGlyphs(text: string, weight: Weight): boolean {
  return hasGlyphs(openFont(OWN_FONT[weight]), text);
}

/**
 * Selects the font that draws a character.
 * @param cluster a character as readers count them, with its accents and vowel signs
 * @returns the name to call `pdf.font` with; null if no installed font has it
 */
export function selectFont(pdf: Pdf, cluster: string, weight: Weight): string | null {
  for (const [index, file] of FILES[weight].entries()) {
    const font = openFont(file);
    if (!hasGlyphs(font, cluster)) continue;
    const name = index === 0 ? weight : file;
    pdf.registerFont(name, font);
    return name;
  }
  for (const character of cluster) missingBlocks.add((character.codePointAt(0) ?? 0) & ~0xff);
  return null;
}

const missingBlocks = new Set<number>();

/**
 * Where the characters without a font are in Unicode, in blocks of 256: "U+4E00". Tells which font to install, but not
 * whose name it was.
 */
export function listMissingBlocks(): string[] {
  return Array.from(missingBlocks, (block) => `U+${block.toString(16).toUpperCase().padStart(4, '0')}`);
}

/** The characters of a text that no installed font has, each once. */
export function findMissingCharacters(text: string): string[] {
  const hasFont = (character: string) => FILES.regular.some((file) => hasGlyphs(openFont(file), character));
  return [...new Set(text)].filter((character) => !hasFont(character));
}

function hasGlyphs(font: OpenFont | null, text: string): font is OpenFont {
  if (!font) return false;
  return Array.from(text).every(
    (character) => /\s/.test(character) || font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0),
  );
}

const openedFonts = new Map<string, OpenFont | null>();

/** A font parsed once: parsing takes longer than drawing a page. Null for a package that is not installed. */
function openFont(file: (typeof OWN_FONT)[Weight]): OpenFont;
function openFont(file: string): OpenFont | null;
function openFont(file: string): OpenFont | null {
  const opened = openedFonts.get(file);
  if (opened !== undefined) return opened;
  const font = parseFont(file);
  openedFonts.set(file, font);
  return font;
}

function parseFont(file: string): OpenFont | null {
  const path = findFile(file);
  if (path === null) return null;
  const pdf = new PDFDocument({ autoFirstPage: false });
  pdf.font(path);
  return (pdf as Pdf & { _font: { font: OpenFont } })._font.font;
}

function findFile(file: string): string | null {
  try {
    return fileURLToPath(import.meta.resolve(file));
  } catch {
    return null;
  }
}
