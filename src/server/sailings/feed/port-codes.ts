import type { GtfsStop } from './gtfs-types.ts';

/** Words that many ports have in their names, so that they do not tell ports apart. */
const COMMON_WORDS: ReadonlySet<string> = new Set(
  'PORT PIER FERRY TERMINAL LANDING HARBOR HARBOUR DOCK WHARF QUAY STATION STOP ISLAND THE OF AND'.split(' '),
);

/** Letters that Unicode does not decompose into a Latin one and an accent. */
const LATIN: Readonly<Record<string, string>> = {
  ...{ Æ: 'AE', Œ: 'OE', Ø: 'O', Đ: 'D', Ð: 'D', Þ: 'TH', Ł: 'L', Ħ: 'H', ß: 'SS' },
};

/**
 * Gives each stop without a code one: that of the feed if it is short, otherwise three characters of the name, as
 * `ANA` for Anacortes, `MAD` for Port Madrona or `P11` for Pier 11. If that is taken, other letters of the name.
 * @param given the stops that have a code, by the code
 * @returns codes by stop id
 */
export function assignCodes(
  stops: readonly Pick<GtfsStop, 'id' | 'code' | 'name'>[],
  given: ReadonlyMap<string, string>,
): Map<string, string> {
  const taken = new Map(given);
  const codes = new Map([...given].map(([code, stopId]) => [stopId, code]));
  const assign = (stopId: string, candidates: readonly string[]) => {
    const code = candidates.find((each) => !taken.has(each));
    if (code === undefined || codes.has(stopId)) return;
    taken.set(code, stopId);
    codes.set(stopId, code);
  };
  for (const { id, code } of stops) if (/^[A-Z0-9]{2,8}$/i.test(code)) assign(id, [code.toUpperCase()]);
  for (const { id, name } of stops) assign(id, listCandidates(name, taken.size));
  return codes;
}

/** @param taken how many codes are in use; there are more candidates than that */
function listCandidates(name: string, taken: number): string[] {
  const words = splitWords(name);
  const telling = words.filter((word) => !COMMON_WORDS.has(word));
  const [first = '', second = '', third = ''] = telling.some(hasLetter) ? telling : words;
  const letters = words.join('');
  const number = /\d+/.exec(letters)?.[0] ?? '';
  const main = (hasLetter(first) ? first : letters) || 'PORT';
  const numbers = Array.from({ length: taken + 1 }, (_, index) => `${main.slice(0, 3)}${index + 2}`);
  return [
    ...(number === '' ? [] : [main.slice(0, 1) + number]),
    main.slice(0, 3),
    main.slice(0, 2) + second.slice(0, 1),
    main.slice(0, 1) + second.slice(0, 1) + third.slice(0, 1),
    main.slice(0, 1) + second.slice(0, 2),
    ...[...main.slice(3)].map((letter) => main.slice(0, 2) + letter),
  ]
    .filter((code) => code.length >= 3 && code.length <= 8)
    .concat(numbers);
}

function splitWords(name: string): string[] {
  const latin = name.toUpperCase().replace(/[ÆŒØĐÐÞŁĦß]/g, (letter) => LATIN[letter] ?? '');
  return latin
    .normalize('NFKD')
    .replace(/[\u0300-\u036f'’.]/g, '')
    .split(/[^A-Z0-9]+/)
    .filter((word) => word !== '');
}

function hasLetter(word: string): boolean {
  return /[A-Z]/.test(word);
}
