import { expect, test } from 'vitest';
import {
  HEIGHT,
  largestSquares,
  type MapPort,
  type PlacedPort,
  placePorts,
  WIDTH,
} from '#domain/map/map-sketch.ts';

const madrona = { id: 'mad', name: 'Port Madrona', lat: 47.9512, lon: -122.4208 };
const heron = { id: 'her', name: 'Heron Island', lat: 48.0331, lon: -122.5874 };
const fairwater = { id: 'fai', name: 'Fairwater, BC', lat: 48.4391, lon: -123.3026 };

function place(ports: MapPort[], important: string[] = []): (id: string) => PlacedPort {
  const placed = placePorts(ports, important);
  return (id) => {
    const found = placed.find((port) => port.id === id);
    if (found === undefined) throw new Error(`No port ${id}.`);
    return found;
  };
}

test('north is up and west is left', () => {
  const at = place([madrona, heron, fairwater]);
  expect(at('fai').x).toBeLessThan(at('her').x);
  expect(at('her').x).toBeLessThan(at('mad').x);
  expect(at('fai').y).toBeLessThan(at('her').y);
  expect(at('her').y).toBeLessThan(at('mad').y);
});

test('a degree of longitude is half as long as one of latitude at sixty degrees north', () => {
  const at = place([
    { id: 'a', name: 'A', lat: 59.5, lon: 10 },
    { id: 'b', name: 'B', lat: 60.5, lon: 10 },
    { id: 'c', name: 'C', lat: 60, lon: 12 },
  ]);
  expect(at('a').y - at('b').y).toBeCloseTo(at('c').x - at('a').x, 0);
});

test('ports on both sides of the date line are placed side by side', () => {
  const at = place([
    { id: 'west', name: 'West', lat: -17, lon: 179.8 },
    { id: 'east', name: 'East', lat: -17.1, lon: -179.8 },
    { id: 'far', name: 'Far', lat: -17.05, lon: 179.4 },
  ]);
  expect(at('far').x).toBeLessThan(at('west').x);
  expect(at('west').x).toBeLessThan(at('east').x);
});

test('everything lies inside the drawing with one port, with two, and with two at the same place', () => {
  for (const ports of [[madrona], [madrona, heron], [madrona, { ...madrona, id: 'twin' }]]) {
    for (const { x, y } of placePorts(ports, [])) {
      expect(x >= 0 && x <= WIDTH && y >= 0 && y <= HEIGHT).toBe(true);
    }
  }
  expect(placePorts([], [])).toEqual([]);
});

test('names do not overlap, and the chosen ports get theirs first', () => {
  const crowd = Array.from({ length: 12 }, (_, index) => ({
    id: `p${index}`,
    name: `A long port name ${index}`,
    lat: 48 + (index % 4) * 0.0001,
    lon: -122 + Math.floor(index / 4) * 0.0001,
  }));
  const placed = placePorts(crowd, ['p5', 'p11']);
  const named = placed.filter(({ label }) => label !== null).map(({ id }) => id);
  expect(named).toEqual(expect.arrayContaining(['p5', 'p11']));
  expect(named.length).toBeLessThan(12);
});

test('the demo’s ports leave room for a button of 24 pixels each on a screen of 320 pixels', () => {
  const kestrel = { id: 'kes', name: 'Kestrel Harbor', lat: 48.1167, lon: -122.6935 };
  const size = largestSquares(placePorts([madrona, heron, kestrel, fairwater], []));
  const mapWidth = 262;
  expect((size * mapWidth) / WIDTH).toBeGreaterThanOrEqual(24);
  expect(largestSquares(placePorts([madrona], []))).toBe(WIDTH);
});
