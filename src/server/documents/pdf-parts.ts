import { fileURLToPath } from 'node:url';
import PDFDocument from 'pdfkit';
import type { WebSettings } from '#contract/settings/schemas.ts';

export type Pdf = InstanceType<typeof PDFDocument>;

export const INK = '#10222e';
export const QUIET = '#51626e';
export const RULE = '#c9d3da';
/** Points: 51 each side leaves 18 mm, which every printer can reach, on A4 and on Letter. */
export const MARGIN = 51;

/**
 * An empty document, on Letter where lengths are in feet and on A4 elsewhere. What says when it was made is passed in:
 * the same facts give the same bytes.
 */
export function createPdf(
  settings: WebSettings,
  about: { title: string; madeAt: Date; locale: string },
): Pdf {
  const pdf = new PDFDocument({
    size: settings.units === 'imperial' ? 'LETTER' : 'A4',
    margin: MARGIN,
    autoFirstPage: false,
    lang: about.locale,
    displayTitle: true,
    info: {
      Title: about.title,
      Author: settings.brand.name,
      Creator: 'Gangway',
      Producer: 'Gangway',
      CreationDate: about.madeAt,
    },
  });
  pdf.registerFont('regular', fontFile('DejaVuSans.ttf'));
  pdf.registerFont('bold', fontFile('DejaVuSans-Bold.ttf'));
  return pdf;
}

/** The operator's stripe across the top of the page. */
export function drawStripe(pdf: Pdf, settings: WebSettings): void {
  const accent = /^#[0-9a-f]{6}$/i.test(settings.brand.accent) ? settings.brand.accent : INK;
  pdf.rect(0, 0, pdf.page.width, 10).fill(accent);
}

export function drawRule(pdf: Pdf, y: number, width: number): void {
  pdf
    .moveTo(MARGIN, y)
    .lineTo(MARGIN + width, y)
    .lineWidth(1)
    .strokeColor(RULE)
    .stroke();
}

/** Whether the chosen font has every character of a text: DejaVu has no Chinese and no Thai. */
export function canDraw(pdf: Pdf, text: string): boolean {
  // The types of pdfkit leave out the font that it opened.
  const { font } = (pdf as Pdf & OpenFont)._font;
  return [...text].every((character) => font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0));
}

type OpenFont = { _font: { font: { hasGlyphForCodePoint: (codePoint: number) => boolean } } };

/** Lays out Hebrew or Arabic as one run, because word by word the last word would come first. */
export function layoutOf(text: string): { features?: [] } {
  return RIGHT_TO_LEFT.test(text) ? { features: [] } : {};
}

const RIGHT_TO_LEFT = /^[\P{L}\p{Script=Hebrew}\p{Script=Arabic}]+$/u;

/** Ends the document and answers its bytes. */
export function finishPdf(pdf: Pdf): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
    pdf.on('end', () => resolve(Buffer.concat(chunks)));
    pdf.on('error', reject);
    pdf.end();
  });
}

function fontFile(name: string): string {
  return fileURLToPath(import.meta.resolve(`dejavu-fonts-ttf/ttf/${name}`));
}
