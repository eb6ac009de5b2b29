import { constants, inflateSync } from 'node:zlib';
import { expect } from 'vitest';

export type Element = { type: string; alt: string; scope: string; marks: number[]; children: Element[] };

/** The structure tree of a PDF, and the numbers of the marked drawings of each page; fails on a drawing without mark. */
export function readStructure(pdf: Buffer): { tree: Element[]; catalogue: string; drawn: number[][] } {
  const objects = readObjects(pdf);
  const listKids = (body: string) => /\/K \[([^\]]*)\]/.exec(body)?.[1] ?? '';
  const readElement = (id: string): Element => {
    const body = objects.get(id) ?? '';
    const refs = [...listKids(body).matchAll(/(\d+) 0 R/g)].map(([, each = '']) => each);
    const marks = listKids(body).replace(/\d+ 0 R/g, '');
    return {
      type: /\/S \/(\w+)/.exec(body)?.[1] ?? '',
      alt: /\/Alt \((.*)\)/.exec(body)?.[1] ?? '',
      scope: /\/Scope \/(\w+)/.exec(body)?.[1] ?? '',
      marks: (marks.match(/\d+/g) ?? []).map(Number),
      children: refs.map(readElement),
    };
  };
  const bodies = [...objects.values()];
  const root = bodies.find((body) => body.includes('/Type /StructTreeRoot')) ?? '';
  const pages = bodies.filter((body) => /\/Type \/Page\n/.test(body));
  return {
    tree: [...listKids(root).matchAll(/(\d+) 0 R/g)].map(([, id = '']) => readElement(id)),
    catalogue: bodies.find((body) => body.includes('/Type /Catalog')) ?? '',
    drawn: pages.map((body) => readMarks(objects.get(/\/Contents (\d+)/.exec(body)?.[1] ?? '') ?? '')),
  };
}

function readMarks(object: string): number[] {
  const from = object.indexOf('stream\n') + 'stream\n'.length;
  const content = inflateSync(Buffer.from(object.slice(from), 'latin1'), {
    finishFlush: constants.Z_SYNC_FLUSH,
  }).toString('latin1');
  /** Tags of the marked content that is open. */
  const open: string[] = [];
  let tag = '';
  const marks: number[] = [];
  for (const line of content.split('\n')) {
    // The entries between a tag and its BDC may stand on lines of their own.
    tag = /^\/([A-Z]\w*) (?:<<|BMC)/.exec(line)?.[1] ?? tag;
    if (/B[MD]C$/.test(line)) open.push(tag);
    if (line === 'EMC') open.pop();
    // A span tells the text of what is drawn, within an element.
    if (/^(BT|f|S|B)$/.test(line))
      expect(
        open.filter((each) => each !== 'Span'),
        line,
      ).toHaveLength(1);
    const mark = /\/MCID (\d+)/.exec(line);
    if (mark) marks.push(Number(mark[1]));
  }
  expect(open).toEqual([]);
  return marks;
}

export function listContent({ marks, children }: Element): number[] {
  return [...marks, ...children.flatMap(listContent)];
}

function readObjects(pdf: Buffer): Map<string, string> {
  const objects = pdf.toString('latin1').matchAll(/(\d+) 0 obj\n([\s\S]*?)endobj/g);
  return new Map([...objects].map(([, id = '', body = '']) => [id, body]));
}

/** Where elements may stand (ISO 32000-1, 14.8.4). */
const PARENTS: Readonly<Record<string, readonly string[]>> = {
  LI: ['L'],
  Lbl: ['LI'],
  LBody: ['LI'],
  TR: ['Table'],
  TH: ['TR'],
  TD: ['TR'],
};
const TYPES = ['Document', 'Sect', 'H1', 'P', 'Figure', 'L', 'Table', ...Object.keys(PARENTS)];

/**
 * The rules of PDF/UA-1 that a document breaks, by the checkpoints of the Matterhorn Protocol 1.1 that need no person. That
 * every drawing is tagged or an artifact (01) is checked by `readStructure`.
 */
export function findBreaches(pdf: Buffer): string[] {
  const { tree, catalogue } = readStructure(pdf);
  const bodies = [...readObjects(pdf).values()];
  const text = pdf.toString('latin1');
  const ofType = (type: string) => bodies.filter((body) => RegExp(`/Type /${type}\\s`).test(body));
  const elements = tree.flatMap((element) => listElements(element, ''));
  const types = elements.map(({ type }) => type);
  const headings = types.filter((type) => /^H\d$/.test(type));
  const metadata = ofType('Metadata').join();
  const fonts = bodies.filter((body) => /\/Type \/Font\n/.test(body));
  const composite = fonts.filter((body) => body.includes('/Subtype /Type0'));
  const rules: [string, boolean][] = [
    ['02 every element has a standard type', types.every((type) => TYPES.includes(type))],
    ['06 metadata names title and part', /<dc:title>[\s\S]*\S[\s\S]*<\/dc:title>/.test(metadata)],
    ['06 metadata names the part of PDF/UA', metadata.includes('<pdfuaid:part>1</pdfuaid:part>')],
    ['06 metadata is well-formed', isWellFormed(metadata)],
    ['06 metadata is not encrypted or packed', !/\/Filter/.test(metadata) && !/\/Encrypt/.test(text)],
    ['07 the title is shown', /\/DisplayDocTitle true/.test(text)],
    [
      '09 elements stand where they may',
      elements.every(({ type, parent }) => (PARENTS[type] ?? [parent]).includes(parent)),
    ],
    ['09 no element is empty', elements.every(({ marks, children }) => marks.length + children.length > 0)],
    ['11 the language is set', /\/Lang \([a-z]{2}/.test(catalogue)],
    ['13 every figure has a text', elements.every(({ type, alt }) => type !== 'Figure' || alt.trim() !== '')],
    ['14 the first heading is H1, and no level is left out', headings.every((type) => type === 'H1')],
    [
      '15 every title of a column says so',
      elements.every(({ type, scope }) => type !== 'TH' || scope !== ''),
    ],
    [
      '18 nothing in annotations, forms or scripts',
      !/\/(Annots \[\s*\d|AcroForm|JavaScript|JS|XFA)\b/.test(text),
    ],
    [
      '28 the order of tabs is that of the structure',
      ofType('Page').every((body) => body.includes('/Tabs /S')),
    ],
    ['30 nothing comes from another file', !text.includes('/Subtype /PS') && !/\/Ref \d/.test(text)],
    [
      '31 every font is embedded',
      fonts.length > 0 && ofType('FontDescriptor').every((body) => /\/FontFile[23] /.test(body)),
    ],
    ['31 no font is one of the reader', !fonts.some((body) => /\/Subtype \/(Type1|TrueType)\b/.test(body))],
    ['31 every font maps to Unicode', composite.every((body) => /\/ToUnicode \d+ 0 R/.test(body))],
    [
      '31 every glyph is found',
      fonts.every((body) => !body.includes('CIDFontType2') || body.includes('/CIDToGIDMap /Identity')),
    ],
    ['05 the document says that it is tagged', /\/Marked true/.test(text) && !/\/Suspects true/.test(text)],
  ];
  return rules.filter(([, holds]) => !holds).map(([rule]) => rule);
}

function listElements(element: Element, parent: string): (Element & { parent: string })[] {
  return [{ ...element, parent }, ...element.children.flatMap((child) => listElements(child, element.type))];
}

/** Whether each tag ends, and no other `&` or `<` stands in a text. */
function isWellFormed(object: string): boolean {
  const xml = /<x:xmpmeta[\s\S]*<\/x:xmpmeta>/.exec(object)?.[0] ?? '';
  if (xml === '' || /&(?!(amp|lt|gt);)/.test(xml)) return false;
  const open: string[] = [];
  for (const [tag, end, name = '', alone] of xml.matchAll(/<(\/?)([\w:]+)[^<>]*?(\/?)>/g)) {
    if (tag !== '' && end === '/' && open.pop() !== name) return false;
    if (end === '' && alone === '') open.push(name);
  }
  return open.length === 0 && !xml.replaceAll(/<[^<>]*>/g, '').includes('<');
}
