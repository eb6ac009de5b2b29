import { encode } from 'uqr';
import { encodeId } from '#domain/base32.ts';
import { formatTicketCode, ticketFormat } from '#domain/orders/ticket-code.ts';
import { seeded } from '#tests/bench/seeded.ts';

/** What a camera sees when a code is held before it, and how many of 100 codes have to be read. */
export const CONDITIONS = {
  clean: 100,
  'dim screen': 98,
  'tilted by 15°': 98,
  'glare on 10 %': 95,
  inverted: 95,
  'dark, 20 lux': 98,
  'cracked, 10 %': 95,
} as const;
export type Condition = keyof typeof CONDITIONS;

/** Pictures that a slow phone reads in two seconds: each takes it 60 ms, and it rests for as long. */
const FRAMES = 12;
/** Pixels of a side: the middle of a picture of 1280 × 720, which the gate reads. */
const SIDE = 720;
const QUIET = 4;
const DEGREE = Math.PI / 180;

type Random = () => number;
type Decode = (picture: ImageData) => Promise<string | null>;

/** Whether a made code is read from one of the pictures that a camera takes of it within two seconds. */
export async function isReadInTime(
  decode: Decode,
  { condition, modules, seed }: { condition: Condition; modules: 49 | 53; seed: number },
): Promise<boolean> {
  const text = makeCode(modules, seed);
  for (let frame = 0; frame < FRAMES; frame += 1) {
    const read = await decode(takePicture(text, condition, seed, frame));
    if (read !== null) return read === text;
  }
  return false;
}

/** The longest type and reference make a code of 53 modules. Its signature is not genuine: only its picture counts. */
function makeCode(modules: 49 | 53, seed: number): string {
  const random = seeded(seed * 104_729);
  const bytes = (count: number) => Uint8Array.from({ length: count }, () => Math.floor(random() * 256));
  const isLong = modules === 53;
  const signed = ticketFormat.encode({
    ...{ keyId: 'k1', ticketId: `tkt_${encodeId(bytes(16))}`, sailingId: `slg_${encodeId(bytes(16))}` },
    ...{ departsMinute: 29_685_000, validUntilMinute: 29_686_440, kind: 'passenger', lengthCm: 0 },
    ...{ partyIndex: 1, partySize: 1, version: 1 },
    reference: isLong ? 'K7M4QXP8ABCD' : 'K7M4-QXP8',
    typeCode: isLong ? 'car_with_trailer' : 'adult',
  });
  return formatTicketCode(signed, bytes(64));
}
/** Brightness from 0 to 255 at a place of the code, in modules from its middle, of what has the given one below it. */
type Layer = (x: number, y: number, below: number) => number;
type Scene = { dark: number; light: number; noise: number; tilt: number; layer: Layer };

/**
 * A picture of a code in the hand of a person: turned, off the middle, at some distance, before a background with edges.
 * @param seed the same number makes the same picture
 * @param frame of the pictures that the camera takes of the same code, while the hand moves
 */
function takePicture(text: string, condition: Condition, seed: number, frame = 0): ImageData {
  const random = seeded(seed * 7919);
  const between = (least: number, most: number) => least + random() * (most - least);
  const { data, size } = encode(text, { ecc: 'M', border: 0 });
  const scene = setScene(condition, size, { random, frame });
  const toCode = project({
    pixels: (SIDE * between(0.6, 0.85)) / (size + 2 * QUIET),
    turn: between(-8, 8) * DEGREE,
    tilt: scene.tilt,
    axis: between(0, 180) * DEGREE,
    middle: [SIDE / 2 + between(-30, 30), SIDE / 2 + between(-30, 30)],
  });
  const [wide, high] = [between(0.01, 0.06), between(0.01, 0.06)];
  const readModule = (column: number, row: number) => (data[row]?.[column] ? scene.dark : scene.light);
  const pixels = new Uint8ClampedArray(SIDE * SIDE * 4).fill(255);
  for (let at = 0; at < SIDE * SIDE; at += 1) {
    const [column, row] = [at % SIDE, Math.floor(at / SIDE)];
    const [x, y] = toCode(column, row);
    const isCode = Math.max(Math.abs(x), Math.abs(y)) < size / 2 + QUIET;
    const seen = isCode
      ? scene.layer(x, y, readSoftly(readModule, x + size / 2, y + size / 2))
      : ((90 + 60 * Math.sin(column * wide + row * high)) * scene.light) / 255;
    const light = seen + (random() + random() - 1) * 2.4 * scene.noise;
    pixels[at * 4] = light;
    pixels[at * 4 + 1] = light;
    pixels[at * 4 + 2] = light;
  }
  return { data: pixels, width: SIDE, height: SIDE, colorSpace: 'srgb' } as ImageData;
}

function setScene(
  condition: Condition,
  size: number,
  { random, frame }: { random: Random; frame: number },
): Scene {
  const plain: Scene = { dark: 20, light: 235, noise: 3, tilt: 0, layer: (_x, _y, below) => below };
  switch (condition) {
    case 'clean':
      return plain;
    case 'dim screen':
      return { ...plain, dark: 12, light: 60, noise: 4 };
    case 'tilted by 15°':
      return { ...plain, tilt: 15 * DEGREE };
    case 'glare on 10 %':
      return { ...plain, layer: reflectLamp(size, { random, frame }) };
    case 'inverted':
      return { ...plain, dark: 235, light: 20 };
    case 'dark, 20 lux':
      return { ...plain, dark: 25, light: 75, noise: 10 };
    case 'cracked, 10 %':
      return { ...plain, layer: crackGlass(size, random) };
  }
}

/** A lamp that a screen reflects, which hides a tenth of the code and moves over it when the hand does. */
function reflectLamp(size: number, { random, frame }: { random: Random; frame: number }): Layer {
  const radius = size * Math.sqrt(0.1 / Math.PI);
  const [left, top] = [(random() - 0.5) * (size - 2 * radius), (random() - 0.5) * (size - 2 * radius)];
  const direction = random() * 2 * Math.PI;
  const moved = frame * size * 0.05;
  const [x0, y0] = [left + Math.cos(direction) * moved, top + Math.sin(direction) * moved];
  return (x, y, below) => (Math.hypot(x - x0, y - y0) < radius ? 255 : below);
}

/** Modules that a line of broken glass is wide. */
const CRACK = 0.3;

/**
 * Rays and rings of broken glass around one point. They cover a tenth of the code, and scatter most of the light that goes
 * through them.
 */
function crackGlass(size: number, random: Random): Layer {
  const [left, top] = [(random() - 0.5) * size, (random() - 0.5) * size];
  const first = random() * Math.PI;
  const between = CRACK / 0.05;
  // From a point inside a square, rays are 0.56 of its side long on average.
  const rays = Math.round((0.05 * size) / (0.56 * CRACK));
  return (x, y, below) => {
    const distance = Math.hypot(x - left, y - top);
    const angle = ((Math.atan2(y - top, x - left) + first) * rays) / (2 * Math.PI);
    const fromRay = (Math.abs(angle - Math.round(angle)) * 2 * Math.PI * distance) / rays;
    const fromRing = Math.abs(distance - Math.round(distance / between) * between);
    return Math.min(fromRay, fromRing) < CRACK / 2 ? 0.3 * below + 0.7 * 150 : below;
  };
}

type Pose = { pixels: number; turn: number; tilt: number; axis: number; middle: [x: number, y: number] };

/** From a pixel to the place of the code, in modules from its middle. */
function project({ pixels, turn, tilt, axis, middle }: Pose) {
  const distance = SIDE * 4;
  const [cosAxis, sinAxis] = [Math.cos(axis), Math.sin(axis)];
  const [cosTilt, sinTilt] = [Math.cos(tilt), Math.sin(tilt)];
  const [cos, sin] = [Math.cos(axis - turn), Math.sin(axis - turn)];
  return (column: number, row: number): [x: number, y: number] => {
    const [dx, dy] = [column - middle[0], row - middle[1]];
    const across = dy * cosAxis - dx * sinAxis;
    const v = (across * distance) / (distance * cosTilt - across * sinTilt);
    const u = ((dx * cosAxis + dy * sinAxis) * (distance + v * sinTilt)) / distance;
    return [(u * cos - v * sin) / pixels, (u * sin + v * cos) / pixels];
  };
}

/** Between modules brightness changes over a third of one, as a lens shows it. */
function readSoftly(readModule: (column: number, row: number) => number, x: number, y: number): number {
  const [left, top] = [Math.floor(x - 0.5), Math.floor(y - 0.5)];
  const [right, lower] = [soften(x - 0.5 - left), soften(y - 0.5 - top)];
  const above = readModule(left, top) * (1 - right) + readModule(left + 1, top) * right;
  const below = readModule(left, top + 1) * (1 - right) + readModule(left + 1, top + 1) * right;
  return above * (1 - lower) + below * lower;
}

function soften(share: number): number {
  return Math.min(1, Math.max(0, (share - 0.5) * 3 + 0.5));
}
