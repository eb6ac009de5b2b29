import { getNumberFormat } from '#messages/intl.ts';
import { textLanguage } from '#web/language/page-language.ts';
import { t } from '#web/language/texts.ts';
import type { Catalogue } from '#web/platform/api/types.ts';

type Port = Catalogue['ports'][number];
/** In degrees. */
export type Position = { lat: number; lon: number };

export type PortOption = { id: string; name: string; detail: string | null };
export type PortGroup = { title: string; options: PortOption[] };

type Choices = {
  ports: readonly Port[];
  /** Ids of the ports used last, the latest first. */
  recent: readonly string[];
  position: Position | null;
  /** Where boats are changed, by the ids of the ports that only a change reaches. */
  transferPorts: ReadonlyMap<string, string>;
  units: 'imperial' | 'metric';
};

const SHOWN_NEAR = 4;
/** From this number on, a list of all ports has a title for each first letter. */
const LETTERS_FROM = 16;

/** The ports to choose from, those that are likely first. A port may be in several groups. */
export function groupPorts({ ports, recent, position, transferPorts, units }: Choices): PortGroup[] {
  const groups = [
    {
      title: t('Near you'),
      options: position === null ? [] : findNearest({ ports, transferPorts, units }, position),
    },
    {
      title: t('Recent'),
      options: recent
        .flatMap((id) => ports.find((port) => port.id === id) ?? [])
        .map(({ id, name }) => ({ id, name, detail: describeTransfer(transferPorts, id) })),
    },
    ...listPorts(ports, transferPorts),
  ];
  return groups.filter(({ options }) => options.length > 0);
}

/** All ports: direct ones first, then the others by the port of the change; by first letter if all are direct. */
function listPorts(ports: readonly Port[], transferPorts: Choices['transferPorts']): PortGroup[] {
  const { compare } = new Intl.Collator(textLanguage(), { sensitivity: 'base', ignorePunctuation: true });
  const sorted = ports.toSorted((a, b) => compare(a.name, b.name));
  const hasTransfers = sorted.some(({ id }) => transferPorts.has(id));
  const hasLetters = sorted.length >= LETTERS_FROM;
  // Translators: the ports that are reached without a change of boats.
  const direct = t('Direct');
  function findTitle({ id, name }: Port): string {
    const port = transferPorts.get(id);
    if (port !== undefined) return t('With a change at {port}', { port });
    if (hasTransfers) return direct;
    if (!hasLetters) return t('All ports');
    // Without its accent if the language sorts it like the plain letter.
    const first = /[\p{L}\p{N}]/u.exec(name.normalize('NFC'))?.[0] ?? '';
    const plain = fold(first);
    return (compare(first, plain) === 0 ? plain.charAt(0) : first).toUpperCase();
  }
  // Named first, so that it comes first whatever port begins the alphabet.
  const groups = new Map<string, PortOption[]>(hasTransfers ? [[direct, []]] : []);
  for (const port of sorted) {
    const title = findTitle(port);
    const option = { id: port.id, name: port.name, detail: null };
    groups.set(title, [...(groups.get(title) ?? []), option]);
  }
  return [...groups].map(([title, options]) => ({ title, options }));
}

/** The ports whose name or code matches what is typed: names that start with it first. */
export function searchPorts(
  ports: readonly Port[],
  typed: string,
  transferPorts: Choices['transferPorts'] = new Map(),
): PortOption[] {
  const query = fold(typed);
  if (query === '') return [];
  const matches = ports.flatMap((port) => {
    const rank = rankPort(port, query);
    // Of two that match as well, the one with a direct boat.
    return rank === null ? [] : [{ port, rank: rank + (transferPorts.has(port.id) ? 0.5 : 0) }];
  });
  return matches
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ port: { id, name, code } }) => ({
      ...{ id, name },
      detail:
        [fold(code) === query && code, describeTransfer(transferPorts, id)].filter(Boolean).join(' · ') ||
        null,
    }));
}

function rankPort({ name, code }: Port, query: string): number | null {
  const folded = fold(name);
  if (folded.startsWith(query) || fold(code) === query) return 0;
  if (` ${folded}`.includes(` ${query}`)) return 1;
  const hasAllWords = query.split(' ').every((word) => ` ${folded}`.includes(` ${word}`));
  return hasAllWords || folded.includes(query) || fold(code).startsWith(query) ? 2 : null;
}

/** Letters that Unicode does not take apart into a base letter and an accent. */
const BASE_LETTERS: Readonly<Record<string, string>> = {
  ø: 'o',
  æ: 'ae',
  œ: 'oe',
  ß: 'ss',
  ð: 'd',
  đ: 'd',
  ł: 'l',
  þ: 'th',
  ı: 'i',
};

/** Without case, accents and apostrophes; other punctuation becomes a space. */
function fold(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\p{M}'’ʻ]/gu, '')
    .replace(/[øæœßðđłþı]/g, (letter) => BASE_LETTERS[letter] ?? letter)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

function findNearest(
  { ports, transferPorts, units }: Pick<Choices, 'ports' | 'transferPorts' | 'units'>,
  position: Position,
): PortOption[] {
  return ports
    .flatMap(({ id, name, lat, lon }) =>
      lat === null || lon === null ? [] : [{ id, name, km: measureKm(position, { lat, lon }) }],
    )
    .toSorted((a, b) => a.km - b.km)
    .slice(0, SHOWN_NEAR)
    .map(({ id, name, km }) => ({
      ...{ id, name },
      detail: [formatDistance(km, units), describeTransfer(transferPorts, id)].filter(Boolean).join(' · '),
    }));
}

const EARTH_RADIUS_KM = 6371;
const KM_PER_MILE = 1.609344;

/** Along the great circle. */
function measureKm(a: Position, b: Position): number {
  const [latA, latB, lon] = [a.lat, b.lat, b.lon - a.lon].map((degrees) => (degrees * Math.PI) / 180) as [
    number,
    number,
    number,
  ];
  const cosine = Math.sin(latA) * Math.sin(latB) + Math.cos(latA) * Math.cos(latB) * Math.cos(lon);
  return EARTH_RADIUS_KM * Math.acos(Math.max(-1, Math.min(1, cosine)));
}

/** "0.4 mi", "12 km" */
function formatDistance(km: number, units: Choices['units']): string {
  const amount = units === 'imperial' ? km / KM_PER_MILE : km;
  const digits = amount < 10 ? 1 : 0;
  const distance = getNumberFormat(textLanguage(), {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    useGrouping: false,
  }).format(amount);
  return units === 'imperial' ? t('{distance} mi', { distance }) : t('{distance} km', { distance });
}

function describeTransfer(transferPorts: Choices['transferPorts'], id: string): string | null {
  const port = transferPorts.get(id);
  return port === undefined ? null : t('change at {port}', { port });
}
