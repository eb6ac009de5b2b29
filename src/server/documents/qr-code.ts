import { crc32, deflateSync } from 'node:zlib';
import { encode } from 'uqr';

/** Blank modules that readers require around the code. */
const QUIET_ZONE = 4;

/**
 * Readers find the mask in the code. Choosing the best of eight takes ten times as long as the code itself, and of signed
 * text, which looks random, none is notably better.
 */
const MASK = 0;

/** Rows of a QR code, true for dark modules, without the blank border. */
export function qrModules(text: string): boolean[][] {
  return encode(text, { ecc: 'M', border: 0, maskPattern: MASK }).data;
}

/** PNG's filter type Up. A line of zeros after it repeats the line above, which compresses to almost nothing. */
const FILTER_UP = 2;

/** The code as black-on-white PNG with one bit per pixel, including the blank border. */
export function qrPng(text: string, pixelsPerModule = 6): Buffer {
  const modules = qrModules(text);
  const count = modules.length + 2 * QUIET_ZONE;
  const side = count * pixelsPerModule;
  const lineBytes = 1 + Math.ceil(side / 8);
  const lines = Buffer.alloc(lineBytes * side);
  for (let y = 0; y < side; y += 1) {
    const line = lines.subarray(y * lineBytes, (y + 1) * lineBytes);
    if (y % pixelsPerModule > 0) line[0] = FILTER_UP;
    else drawLine(line.subarray(1), modules[y / pixelsPerModule - QUIET_ZONE] ?? [], pixelsPerModule);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  // One bit per pixel, greyscale.
  header[8] = 1;
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(lines)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

function drawLine(line: Buffer, modules: readonly boolean[], pixelsPerModule: number): void {
  line.fill(0xff);
  for (const [index, isDark] of modules.entries()) {
    if (!isDark) continue;
    const start = (index + QUIET_ZONE) * pixelsPerModule;
    for (let x = start; x < start + pixelsPerModule; x += 1) {
      line[x >> 3] = (line[x >> 3] ?? 0) & ~(0x80 >> (x & 7));
    }
  }
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}
