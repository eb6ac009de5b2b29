import { writeFileSync } from 'node:fs';
import { encode } from 'uqr';

const WIDTH = 640;
const HEIGHT = 480;
const FRAMES = 4;

/** Writes what Chromium's fake camera shows: a code in the middle of its picture. */
export function filmCode(path: string, text: string): void {
  const { data, size } = encode(text, { ecc: 'M', border: 4 });
  const pixels = Math.floor(HEIGHT / size);
  const left = Math.floor((WIDTH - size * pixels) / 2);
  const top = Math.floor((HEIGHT - size * pixels) / 2);
  const light = Buffer.alloc(WIDTH * HEIGHT, 180);
  for (let y = 0; y < size * pixels; y += 1) {
    for (let x = 0; x < size * pixels; x += 1) {
      const isDark = data[Math.floor(y / pixels)]?.[Math.floor(x / pixels)] ?? false;
      light[(top + y) * WIDTH + left + x] = isDark ? 25 : 230;
    }
  }
  const gray = Buffer.alloc((WIDTH * HEIGHT) / 2, 128);
  const frame = Buffer.concat([Buffer.from('FRAME\n'), light, gray]);
  const header = Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F10:1 Ip A1:1 C420jpeg\n`);
  writeFileSync(path, Buffer.concat([header, ...Array.from({ length: FRAMES }, () => frame)]));
}
