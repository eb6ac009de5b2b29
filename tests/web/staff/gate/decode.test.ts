// @vitest-environment node
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { encode } from 'uqr';
import { beforeAll, describe, expect, test } from 'vitest';
import { prepareZXingModule } from 'zxing-wasm/reader';
import { newId } from '#server/core/ids.ts';
import { CONDITIONS, type Condition, isReadInTime } from '#tests/factories/code-pictures.ts';
import { createTicketSigner } from '#tests/factories/gate-codes.ts';
import { decode } from '#web/staff/gate/scanner/decode.ts';

/** Of each kind. `npm run bench -- --only gate-codes` makes a hundred. */
const CODES = 4;

beforeAll(async () => {
  const wasm = fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm'));
  const wasmBinary = new Uint8Array(await readFile(wasm)).buffer;
  await prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true });
});

describe.each(Object.keys(CONDITIONS) as Condition[])('a code is read: %s', (condition) => {
  test.each([49, 53] as const)('with %i modules', async (modules) => {
    for (let seed = 1; seed <= CODES; seed += 1) {
      expect(await isReadInTime(decode, { condition, modules, seed }), `code ${seed}`).toBe(true);
    }
  });
});

test('the code of a party is read', async () => {
  const text = createTicketSigner().signParty({ sailingId: newId('slg'), passengers: 5 });
  expect(await decode(print(text))).toBe(text);
});

test('a picture without a code has no text', async () => {
  expect(await decode(print('GW1', () => 128))).toBeNull();
});

/** Printed in the middle of white paper. */
function print(text: string, shade = (isDark: boolean): number => (isDark ? 0 : 255)): ImageData {
  const PIXELS = 10;
  const { data, size } = encode(text, { ecc: 'M', border: 4 });
  const width = size * PIXELS;
  const pixels = new Uint8ClampedArray(width * width * 4).fill(255);
  for (let at = 0; at < width * width; at += 1) {
    const isDark = data[Math.floor(at / width / PIXELS)]?.[Math.floor((at % width) / PIXELS)] ?? false;
    pixels.fill(shade(isDark), at * 4, at * 4 + 3);
  }
  return { data: pixels, width, height: width, colorSpace: 'srgb' } as ImageData;
}
