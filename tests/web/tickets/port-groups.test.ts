import { describe, expect, test } from 'vitest';
import { camelCased } from '#web/platform/api/case-conversion.ts';
import { groupPorts, searchPorts } from '#web/tickets/trip/port-groups.ts';
import { buildCatalogue } from './visit-tickets.tsx';

const [sample] = camelCased(buildCatalogue()).ports;
if (!sample) throw new Error('There is no port.');
const port = (id: string, name: string, lat: number | null = null) => ({
  ...sample,
  ...{ id, name, code: id.toUpperCase(), lat, lon: lat === null ? null : 0 },
});
const ports = [
  port('ana', 'Anacortes', 48.5),
  port('fri', 'Friday Harbor', 48.6),
  port('lop', 'Lopez'),
  port('ore', 'Öregrund Harbor', 60.3),
  port('por', 'Port Ana', 49),
];
const nothing = { ports, recent: [], position: null, byChange: new Set<string>(), units: 'metric' as const };
const names = (options: readonly { name: string }[]) => options.map(({ name }) => name);

describe('the list of ports', () => {
  test('is one group while nothing is known', () => {
    expect(groupPorts(nothing).map(({ title, options }) => [title, options.length])).toEqual([
      ['All ports', 5],
    ]);
  });

  test('begins with near ports and their distances, then the recent ones', () => {
    const [near, recent] = groupPorts({
      ...nothing,
      recent: ['lop', 'gone'],
      position: { lat: 48.54, lon: 0 },
    });
    expect(near).toEqual({
      title: 'Near you',
      options: [
        { id: 'ana', name: 'Anacortes', detail: '4.4 km' },
        { id: 'fri', name: 'Friday Harbor', detail: '6.7 km' },
        { id: 'por', name: 'Port Ana', detail: '51 km' },
        { id: 'ore', name: 'Öregrund Harbor', detail: '1308 km' },
      ],
    });
    expect(recent).toEqual({ title: 'Recent', options: [{ id: 'lop', name: 'Lopez', detail: null }] });
  });

  test('gives distances in miles where the operator counts in feet', () => {
    const [near] = groupPorts({ ...nothing, units: 'imperial', position: { lat: 48.5, lon: 0 } });
    expect(near?.options.map(({ detail }) => detail)).toEqual(['0.0 mi', '6.9 mi', '35 mi', '815 mi']);
  });

  test('separates direct boats from journeys with a change', () => {
    const groups = groupPorts({ ...nothing, byChange: new Set(['lop']), recent: ['lop'] });
    expect(groups.map(({ title }) => title)).toEqual(['Recent', 'Direct', 'With a change']);
    expect(groups[0]?.options).toEqual([{ id: 'lop', name: 'Lopez', detail: 'with a change' }]);
    expect(names(groups[1]?.options ?? [])).not.toContain('Lopez');
  });
});

describe('a search for a port', () => {
  test('finds the beginning of the name first, then of a word, then any part', () => {
    expect(names(searchPorts(ports, 'ana'))).toEqual(['Anacortes', 'Port Ana']);
    expect(names(searchPorts(ports, 'harb'))).toEqual(['Friday Harbor', 'Öregrund Harbor']);
    expect(names(searchPorts(ports, 'pez'))).toEqual(['Lopez']);
  });

  test('ignores case, spaces around and accents, and knows codes', () => {
    expect(names(searchPorts(ports, ' oregr '))).toEqual(['Öregrund Harbor']);
    expect(searchPorts(ports, 'lop')).toEqual([{ id: 'lop', name: 'Lopez', detail: 'LOP' }]);
    expect(searchPorts(ports, 'FRI')[0]).toEqual({ id: 'fri', name: 'Friday Harbor', detail: 'FRI' });
  });

  test('finds nothing for a name that no port has', () => {
    expect(searchPorts(ports, 'Atlantis')).toEqual([]);
  });
});
