import type PDFDocument from 'pdfkit';

/*
 * The structure of a document, with which assistive technology reads it (ISO 32000-1, 14.8): every drawing belongs to an
 * element, or is an artifact that says nothing. The order of the elements is the reading order.
 */

export type Pdf = InstanceType<typeof PDFDocument>;

type StructureElement = ReturnType<Pdf['struct']>;

/** The element of each open document that further elements belong to. */
const parents = new WeakMap<Pdf, StructureElement>();

/** Begins the structure of an empty document. */
export function beginStructure(pdf: Pdf): void {
  const root = pdf.struct('Document');
  pdf.addStructure(root);
  parents.set(pdf, root);
}

/** Elements that belong together: `draw` adds them. */
export function drawGroup(
  pdf: Pdf,
  type: 'Sect' | 'L' | 'LI' | 'LBody' | 'Table' | 'TR',
  draw: () => void,
): void {
  const outer = parents.get(pdf);
  if (!outer) throw new Error('The document has no structure yet.');
  const group = pdf.struct(type);
  outer.add(group);
  parents.set(pdf, group);
  draw();
  parents.set(pdf, outer);
}

/** An element with what `draw` draws. `alt`: what a figure shows. A TH is the title of its column. */
export function drawElement(
  pdf: Pdf,
  type: 'H1' | 'P' | 'Figure' | 'Lbl' | 'TH' | 'TD',
  draw: () => void,
  { alt }: { alt?: string } = {},
): void {
  const content = pdf.markStructureContent(type);
  draw();
  pdf.endMarkedContent();
  const element = pdf.struct(type, alt === undefined ? {} : { alt }, [content]);
  if (type === 'TH') describeCells(element);
  parents.get(pdf)?.add(element);
}

/** Readers name the column of each cell that they read. pdfkit's types lack the element's dictionary. */
function describeCells(element: StructureElement): void {
  const { dictionary } = element as StructureElement & { dictionary: { data: Record<string, unknown> } };
  dictionary.data.A = { O: 'Table', Scope: 'Column' };
}

/** Lines and colors, which readers skip. */
export function drawArtifact(pdf: Pdf, draw: () => void): void {
  pdf.markContent('Artifact', { type: 'Layout' });
  draw();
  pdf.endMarkedContent();
}
