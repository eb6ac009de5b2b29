import PDFDocument from 'pdfkit';
import type { WebSettings } from '#contract/settings/schemas.ts';
import { setWeight, type Weight } from './pdf-fonts.ts';
import { beginStructure, drawArtifact, drawElement, type Pdf } from './pdf-tags.ts';
import { drawEveryScript } from './pdf-text.ts';

export const INK = '#10222e';
export const MUTED = '#51626e';
export const RULE = '#c9d3da';
/** In points. 51 on each side leaves 18 mm, within the printable area of A4 and Letter. */
export const MARGIN = 51;

/**
 * Creates an empty document of PDF/UA-1 (ISO 14289-1), Letter where lengths are in feet and A4 elsewhere. The creation time is a parameter, so
 * that the same input gives the same bytes.
 */
export function createPdf(
  settings: WebSettings,
  about: { title: string; createdAt: Date; locale: string },
): Pdf {
  const pdf = new PDFDocument({
    size: settings.units === 'imperial' ? 'LETTER' : 'A4',
    margin: MARGIN,
    autoFirstPage: false,
    lang: about.locale,
    displayTitle: true,
    tagged: true,
    // pdfkit's types lack it.
    subset: 'PDF/UA' as 'PDF/A-1',
    pdfVersion: '1.7',
    info: {
      Title: about.title,
      Author: settings.brand.name,
      Creator: 'Gangway',
      Producer: 'Gangway',
      CreationDate: about.createdAt,
    },
  });
  setWeight(pdf, 'regular');
  beginStructure(pdf);
  escapeMetadata(pdf);
  drawEveryScript(pdf);
  return pdf;
}

/** pdfkit writes title and author into the XML of the metadata as they are. */
function escapeMetadata(pdf: Pdf): void {
  const open = pdf as Pdf & { _addInfo: () => void };
  const addInfo = open._addInfo;
  open._addInfo = () => {
    const { info } = pdf;
    const escaped = Object.entries(info).map(([name, value]) => [
      name,
      typeof value === 'string' ? escapeXml(value) : value,
    ]);
    pdf.info = Object.fromEntries(escaped);
    addInfo.call(pdf);
    pdf.info = info;
  };
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Draws the top of a page: the operator's stripe and name, and a note on the right. */
export function drawPageHead(pdf: Pdf, { brand }: WebSettings, note: string): void {
  const width = pdf.page.width - 2 * MARGIN;
  const accent = /^#[0-9a-f]{6}$/i.test(brand.accent) ? brand.accent : INK;
  drawArtifact(pdf, () => pdf.rect(0, 0, pdf.page.width, 10).fill(accent));
  drawElement(pdf, 'P', () =>
    setStyle(pdf, 'bold', 14).text(brand.name, MARGIN, 44, { width: width / 2, height: 18, ellipsis: true }),
  );
  drawElement(pdf, 'P', () =>
    setStyle(pdf, 'regular', 11, MUTED).text(note, MARGIN, 47, { width, align: 'right' }),
  );
  drawRule(pdf, 76, width);
}

/** Sets the font, size and color of the texts that follow. */
export function setStyle(pdf: Pdf, weight: Weight, size: number, color = INK): Pdf {
  setWeight(pdf, weight);
  return pdf.fontSize(size).fillColor(color);
}

export function drawRule(pdf: Pdf, y: number, width: number): void {
  drawArtifact(pdf, () =>
    pdf
      .moveTo(MARGIN, y)
      .lineTo(MARGIN + width, y)
      .lineWidth(1)
      .strokeColor(RULE)
      .stroke(),
  );
}

/** Ends the document and returns its bytes. */
export function finishPdf(pdf: Pdf): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
    pdf.on('end', () => resolve(Buffer.concat(chunks)));
    pdf.on('error', reject);
    pdf.end();
  });
}
