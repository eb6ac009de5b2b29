export type PictureType = 'jpg' | 'webp' | 'avif';

/** Size in pixels, as browsers show the picture: after the rotation that the file asks for. */
export type PictureFormat = { type: PictureType; width: number; height: number };

type Size = Pick<PictureFormat, 'width' | 'height'>;

/** Reads type and size of a picture from its bytes. Null if it is not a whole JPEG, WebP or AVIF picture. */
export function readPictureFormat(bytes: Uint8Array): PictureFormat | null {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const type = findType(file);
  if (type === null) return null;
  try {
    const size = READERS[type](file);
    return size && size.width > 0 && size.height > 0 ? { type, ...size } : null;
  } catch (error) {
    // The file ends before its size.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

const READERS = { jpg: readJpeg, webp: readWebp, avif: readAvif } as const;

function findType(file: Buffer): PictureType | null {
  if (file.length > 3 && file.readUIntBE(0, 3) === 0xff_d8_ff) return 'jpg';
  if (text(file, 0) === 'RIFF' && text(file, 8) === 'WEBP') return 'webp';
  const [brands] = file.length > 8 && text(file, 4) === 'ftyp' ? listBoxes(file, 0, file.length) : [];
  return brands && file.toString('latin1', brands.start, brands.end).includes('avif') ? 'avif' : null;
}

function text(file: Buffer, start: number): string {
  return file.toString('latin1', start, start + 4);
}

function turn({ width, height }: Size, isTurned: boolean): Size {
  return isTurned ? { width: height, height: width } : { width, height };
}

/** ITU-T T.81, annex B: the size stands in the frame header, which follows segments of any number. */
function readJpeg(file: Buffer): Size | null {
  let isTurned = false;
  let start = 2;
  while (file.readUInt8(start) === 0xff) {
    const marker = file.readUInt8(start + 1);
    if (isFrameHeader(marker)) {
      const size = { height: file.readUInt16BE(start + 5), width: file.readUInt16BE(start + 7) };
      return turn(size, isTurned);
    }
    if (marker === 0xe1) isTurned ||= readOrientation(file.subarray(start + 4)) > 4;
    start += 2 + file.readUInt16BE(start + 2);
  }
  return null;
}

function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

/** The orientation that a camera wrote as Exif, 1 to 8; above 4 width and height are exchanged. */
function readOrientation(segment: Buffer): number {
  if (text(segment, 0) !== 'Exif') return 1;
  const tiff = segment.subarray(6);
  const isLittleEndian = text(tiff, 0).startsWith('II');
  const short = (at: number) => (isLittleEndian ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const directory = isLittleEndian ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  for (let index = 0; index < short(directory); index += 1) {
    const entry = directory + 2 + index * 12;
    if (short(entry) === 0x01_12) return short(entry + 8);
  }
  return 1;
}

/** RFC 9649: extended, lossless or lossy. */
function readWebp(file: Buffer): Size | null {
  switch (text(file, 12)) {
    case 'VP8X':
      return { width: file.readUIntLE(24, 3) + 1, height: file.readUIntLE(27, 3) + 1 };
    case 'VP8L': {
      const bits = file.readUInt32LE(21);
      return { width: (bits & 0x3f_ff) + 1, height: ((bits >>> 14) & 0x3f_ff) + 1 };
    }
    case 'VP8 ':
      return { width: file.readUInt16LE(26) & 0x3f_ff, height: file.readUInt16LE(28) & 0x3f_ff };
    default:
      return null;
  }
}

/** ISO/IEC 23008-12: the largest of the sizes, because thumbnails and tiles have sizes too. */
function readAvif(file: Buffer): Size | null {
  const properties = enterBoxes(file, { start: 0, end: file.length }, [
    { type: 'meta', skipped: 4 },
    { type: 'iprp', skipped: 0 },
    { type: 'ipco', skipped: 0 },
  ]);
  const sizes = properties
    .filter(({ type }) => type === 'ispe')
    .map(({ start }) => ({ width: file.readUInt32BE(start + 4), height: file.readUInt32BE(start + 8) }))
    .toSorted((a, b) => b.width * b.height - a.width * a.height);
  const rotation = properties.find(({ type }) => type === 'irot');
  const [size] = sizes;
  return size ? turn(size, rotation !== undefined && (file.readUInt8(rotation.start) & 1) === 1) : null;
}

/** A part of a file of ISO/IEC 14496-12: its type and its content. */
type Box = { type: string; start: number; end: number };

/** The boxes inside a path of boxes. `skipped`: the bytes before the boxes inside one. */
function enterBoxes(
  file: Buffer,
  outer: Pick<Box, 'start' | 'end'>,
  path: readonly { type: string; skipped: number }[],
): Box[] {
  const boxes = listBoxes(file, outer.start, outer.end);
  const [step, ...rest] = path;
  if (!step) return boxes;
  const inner = boxes.find(({ type }) => type === step.type);
  return inner ? enterBoxes(file, { start: inner.start + step.skipped, end: inner.end }, rest) : [];
}

function listBoxes(file: Buffer, from: number, until: number): Box[] {
  const boxes: Box[] = [];
  let at = from;
  while (at + 8 <= until) {
    const length = file.readUInt32BE(at);
    // 0: until the end of the file. 1, a length of 64 bits, is more than any picture has.
    const end = length === 0 ? until : at + length;
    if (end < at + 8 || end > until) break;
    boxes.push({ type: text(file, at + 4), start: at + 8, end });
    at = end;
  }
  return boxes;
}
