import { crc32, deflateSync } from 'node:zlib';
import { encode } from 'uqr';

/** Blank modules that readers require around the code. */
const QUIET_ZONE = 4;

/** Rows of a QR code, true for dark modules, without the blank border. */
export function qrModules(text: string): boolean[][] {
  return encode(text, { ecc: 'M', border: 0 }).data;
}

/** The code as black-on-white PNG with one bit per pixel, including the blank border. */
export function qrPng(text: string, pixelsPerModule = 6): Buffer {
  const modules = qrModules(text);
  const side = (modules.length + 2 * QUIET_ZONE) * pixelsPerModule;
  const rowBytes = 1 + Math.ceil(side / 8);
  const pixels = Buffer.alloc(rowBytes * side, 0xff);
  for (let y = 0; y < side; y += 1) {
    pixels[y * rowBytes] = 0;
    const row = modules[Math.floor(y / pixelsPerModule) - QUIET_ZONE];
    for (let x = 0; row && x < side; x += 1) {
      if (!row[Math.floor(x / pixelsPerModule) - QUIET_ZONE]) continue;
      const at = y * rowBytes + 1 + (x >> 3);
      pixels[at] = (pixels[at] ?? 0) & ~(0x80 >> (x & 7));
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  // One bit per pixel, greyscale.
  header[8] = 1;
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(pixels)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}
