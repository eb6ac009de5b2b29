import { describe, expect, onTestFinished, test } from 'vitest';
import { setTextLanguage } from '#web/language/page-language.ts';
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
const nothing = {
  ports,
  recent: [],
  position: null,
  transferPorts: new Map<string, string>(),
  units: 'metric' as const,
};
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

  test('separates direct boats from journeys with a change, and names the port of the change', () => {
    const transferPorts = new Map([['ana', 'Lopez']]);
    const groups = groupPorts({
      ...nothing,
      transferPorts,
      recent: ['ana'],
      position: { lat: 48.5, lon: 0 },
    });
    expect(groups.map(({ title }) => title)).toEqual([
      'Near you',
      'Recent',
      'Direct',
      'With a change at Lopez',
    ]);
    expect(groups[0]?.options[0]).toEqual({
      ...{ id: 'ana', name: 'Anacortes' },
      detail: '0.0 km · change at Lopez',
    });
    expect(groups[1]?.options).toEqual([{ id: 'ana', name: 'Anacortes', detail: 'change at Lopez' }]);
    expect(names(groups[2]?.options ?? [])).not.toContain('Anacortes');
  });

  test.each([
    ['en-US', 'ABCDEFGHIJKLMNOP', 'A'],
    ['nb', 'ABCDEFGHIJKLMNOPÅ', 'Å'],
  ])('has the letters of the alphabet in %s', (language, letters, title) => {
    setTextLanguage(language);
    onTestFinished(() => setTextLanguage('en-US'));
    const many = Array.from('ponmlkjihgfedcba', (letter) => port(letter, `${letter}-port`));
    const groups = groupPorts({ ...nothing, ports: [port('ale', 'Ålesund'), ...many] });
    expect(groups.map((group) => group.title).join('')).toBe(letters);
    expect(names(groups.find((group) => group.title === title)?.options ?? [])).toContain('Ålesund');
  });

  test('has a title for each first letter once it is long, without accents and in order', () => {
    const many = Array.from('qponmlkjihgfedc', (letter) => port(letter, `${letter}-port`));
    const groups = groupPorts({ ...nothing, ports: [...ports, ...many] });
    expect(groups.map(({ title }) => title).join('')).toBe('ACDEFGHIJKLMNOPQ');
    expect(names(groups.find(({ title }) => title === 'O')?.options ?? [])).toEqual([
      'o-port',
      'Öregrund Harbor',
    ]);
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

  test('reads letters without an accent of their own as they are typed elsewhere, and passes over punctuation', () => {
    const nordic = [port('vae', 'Værøy'), port('bod', 'Bodø'), port('stm', "St. Mary's Quay")];
    expect(names(searchPorts(nordic, 'vaeroy'))).toEqual(['Værøy']);
    expect(names(searchPorts(nordic, 'BODØ'))).toEqual(['Bodø']);
    expect(names(searchPorts(nordic, 'st marys'))).toEqual(["St. Mary's Quay"]);
    expect(names(searchPorts(nordic, 'quay mary'))).toEqual(["St. Mary's Quay"]);
    expect(searchPorts(nordic, 'st uay')).toEqual([]);
  });

  test('puts direct boats before journeys with a change, and says where that is', () => {
    const transferPorts = new Map([['fri', 'Lopez']]);
    expect(searchPorts(ports, 'harb', transferPorts)).toEqual([
      { id: 'ore', name: 'Öregrund Harbor', detail: null },
      { id: 'fri', name: 'Friday Harbor', detail: 'change at Lopez' },
    ]);
  });

  test('finds nothing for a name that no port has', () => {
    expect(searchPorts(ports, 'Atlantis')).toEqual([]);
    expect(searchPorts(ports, '-')).toEqual([]);
  });
});
