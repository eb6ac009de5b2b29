import { distance } from 'fastest-levenshtein';

/** The one of some names that a misspelled name is probably meant to be; null if none is close. */
export function findSimilarName(name: string, names: Iterable<string>): string | null {
  const text = name.toLowerCase();
  // Short names differ by a letter or two without being meant.
  const farthest = text.length > 6 ? 2 : 1;
  const ranked = [...names]
    .map((each) => ({ each, letters: distance(text, each.toLowerCase()) }))
    .toSorted((a, b) => a.letters - b.letters);
  const [nearest] = ranked;
  return nearest && nearest.letters <= farthest ? nearest.each : null;
}
