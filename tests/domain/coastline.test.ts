import { describe, expect, test } from 'vitest';
import { drawCoastline, type Position } from '#domain/map/coastline.ts';
import { createProjection } from '#domain/map/map-sketch.ts';

/** One degree apart, so that the map shows a little more than a degree around them. */
const PORTS = [
  { lat: 0, lon: 0 },
  { lat: 1, lon: 1 },
];
const SQUARE: Position[] = [
  [0.2, 0.2],
  [0.8, 0.2],
  [0.8, 0.8],
  [0.2, 0.8],
  [0.2, 0.2],
];

function pointsOf(path: string): [number, number][] {
  return [...path.matchAll(/(-?[\d.]+) (-?[\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);
}

const draw = (rings: Position[][], lines: Position[][] = []) => drawCoastline({ rings, lines }, PORTS);

describe('drawCoastline', () => {
  test('draws land where the map of the ports has it', () => {
    const { land } = draw([SQUARE]);
    const project = createProjection(PORTS);
    const corners = SQUARE.slice(0, -1).map(([lon, lat]) => Object.values(project({ lat, lon })));
    expect(land).toMatch(/^M.*Z$/);
    expect(pointsOf(land)).toEqual(expect.arrayContaining(corners));
    expect(pointsOf(land)).toHaveLength(4);
  });

  test('leaves out points that make no difference, and islands that are hardly seen', () => {
    const dense = SQUARE.slice(0, -1).flatMap(([lon, lat], index): Position[] => {
      const [nextLon, nextLat] = SQUARE[index + 1] ?? [lon, lat];
      return Array.from({ length: 1000 }, (_, step) => [
        lon + ((nextLon - lon) * step) / 1000,
        lat + ((nextLat - lat) * step) / 1000,
      ]);
    });
    expect(pointsOf(draw([dense]).land)).toHaveLength(4);
    const speck = SQUARE.map(([lon, lat]): Position => [lon / 1000, lat / 1000]);
    expect(draw([speck]).land).toBe('');
  });

  test('ends land outside the drawing, and keeps what covers all of it', () => {
    const continent: Position[] = [
      [-40, -40],
      [40, -40],
      [40, 40],
      [-40, 40],
      [-40, -40],
    ];
    const points = pointsOf(draw([continent]).land);
    expect(Math.min(...points.flat())).toBe(-8);
    expect(Math.max(...points.map(([x]) => x))).toBe(328);
    expect(Math.max(...points.map(([, y]) => y))).toBe(228);
    const elsewhere = SQUARE.map(([lon, lat]): Position => [lon + 20, lat]);
    expect(draw([elsewhere]).land).toBe('');
  });

  test('draws lines as lines, in parts where they leave the drawing', () => {
    const line: Position[] = [
      [0.1, 0.5],
      [0.4, 0.6],
      [30, 0.5],
      [31, 0.5],
      [32, 0.5],
      [0.9, 0.5],
      [0.8, 0.4],
    ];
    const { land, shores } = draw([], [line]);
    expect(land).toBe('');
    expect(shores.match(/M/g)).toHaveLength(2);
    expect(shores).not.toContain('Z');
  });

  test('has at most 500 points however rugged the coast is', () => {
    const rugged = Array.from(
      { length: 20_000 },
      (_, index): Position => [index / 20_000, index % 2 === 0 ? 0.2 : 0.8],
    );
    expect(pointsOf(draw([], [rugged]).shores).length).toBeLessThanOrEqual(500);
  });

  test('draws nothing if no port has a position', () => {
    expect(drawCoastline({ rings: [SQUARE], lines: [SQUARE] }, [])).toEqual({ land: '', shores: '' });
  });
});
