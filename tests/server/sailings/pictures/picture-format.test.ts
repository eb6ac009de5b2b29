import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { demoFeedFolder } from '#server/demo/demo-timetable.ts';
import { readPictureFormat } from '#server/sailings/pictures/picture-format.ts';

const webp = readFileSync(join(demoFeedFolder, 'pictures/tidewater.webp'));
const jpeg = readFileSync(join(demoFeedFolder, 'pictures/port-madrona.jpg'));

function uint16(value: number): Buffer {
  return Buffer.from([value >> 8, value & 0xff]);
}

function uint32(value: number): Buffer {
  return Buffer.concat([uint16(value >>> 16), uint16(value & 0xff_ff)]);
}

/** A segment of Exif in either byte order, with an entry before that of the orientation. */
function exif(orientation: number, isLittleEndian: boolean): Buffer {
  const numbers = (bytes: Buffer) => (isLittleEndian ? Buffer.from(bytes).reverse() : bytes);
  const entry = (tag: number, value: number) =>
    Buffer.concat([
      ...[uint16(tag), uint16(3)].map(numbers),
      ...[numbers(uint32(1)), numbers(uint16(value)), uint16(0)],
    ]);
  const tiff = Buffer.concat([
    ...[Buffer.from(isLittleEndian ? 'II' : 'MM'), numbers(uint16(42)), numbers(uint32(8))],
    ...[numbers(uint16(2)), entry(0x01_00, 1), entry(0x01_12, orientation), uint32(0)],
  ]);
  const content = Buffer.concat([Buffer.from('Exif\0\0'), tiff]);
  return Buffer.concat([Buffer.from([0xff, 0xe1]), uint16(content.length + 2), content]);
}

function withExif(orientation: number, isLittleEndian: boolean): Buffer {
  return Buffer.concat([jpeg.subarray(0, 2), exif(orientation, isLittleEndian), jpeg.subarray(2)]);
}

function box(type: string, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([uint32(content.length + 8), Buffer.from(type), content]);
}

function avif(...properties: Buffer[]): Buffer {
  return Buffer.concat([
    box('ftyp', Buffer.from('mif1\0\0\0\0mif1avif')),
    box('meta', uint32(0), box('pitm', uint32(0), uint16(1)), box('iprp', box('ipco', ...properties))),
    box('mdat', Buffer.from('…')),
  ]);
}

const size = (width: number, height: number) => box('ispe', uint32(0), uint32(width), uint32(height));

describe('readPictureFormat', () => {
  it('reads the size of a JPEG picture, turned as the camera says', () => {
    expect(readPictureFormat(jpeg)).toEqual({ type: 'jpg', width: 960, height: 540 });
    for (const isLittleEndian of [true, false]) {
      expect(readPictureFormat(withExif(6, isLittleEndian))).toEqual({
        ...{ type: 'jpg', width: 540, height: 960 },
      });
      expect(readPictureFormat(withExif(3, isLittleEndian))).toMatchObject({ width: 960, height: 540 });
    }
  });

  it('reads the size of a WebP picture in each of its three forms', () => {
    expect(readPictureFormat(webp)).toEqual({ type: 'webp', width: 960, height: 540 });
    const form = (name: string, ...rest: number[]) =>
      Buffer.concat([Buffer.from(`RIFF\0\0\0\0WEBP${name}\0\0\0\0`), Buffer.from(rest)]);
    const extended = form('VP8X', 0, 0, 0, 0, 0xff, 0x04, 0, 0x1f, 0x03, 0);
    expect(readPictureFormat(extended)).toEqual({ type: 'webp', width: 1280, height: 800 });
    const lossless = form('VP8L', 0x2f, 0xff, 0xc4, 0xc7, 0);
    expect(readPictureFormat(lossless)).toEqual({ type: 'webp', width: 1280, height: 800 });
  });

  it('reads the largest size of an AVIF picture, turned as it says', () => {
    expect(readPictureFormat(avif(size(160, 90), size(1280, 720)))).toEqual({
      ...{ type: 'avif', width: 1280, height: 720 },
    });
    const turned = avif(size(1280, 720), box('irot', Buffer.from([1])));
    expect(readPictureFormat(turned)).toEqual({ type: 'avif', width: 720, height: 1280 });
  });

  it.each<[string, Uint8Array]>([
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from('<svg onload="alert(1)"/>, which is long enough to have a size')],
    ['a JPEG picture that ends early', jpeg.subarray(0, 20)],
    ['a WebP picture that ends early', webp.subarray(0, 22)],
    ['a WebP picture of another form', Buffer.from('RIFF\0\0\0\0WEBPABCD\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0')],
    ['an AVIF picture without a size', avif()],
    ['a HEIC picture', box('ftyp', Buffer.from('heic\0\0\0\0mif1heic'))],
    ['a picture without an area', avif(size(0, 10))],
    ['boxes that are longer than the file', Buffer.concat([uint32(99), Buffer.from('ftypavif')])],
  ])('finds no picture in %s', (_, bytes) => {
    expect(readPictureFormat(bytes)).toBeNull();
  });
});
