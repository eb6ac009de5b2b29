import type { TripCard } from '#web/platform/api/types.ts';

/** How many colors the styles of a card have. */
export const COLORS = 8;

/**
 * The color of each card, by id: the one that belongs to its number, or the next that no card before it has. Two cards
 * share a color only if there are more cards than colors.
 */
export function assignColors(cards: readonly Pick<TripCard, 'id' | 'lastFour'>[]): Map<string, number> {
  const colors = new Map<string, number>();
  for (const { id, lastFour } of cards) {
    const taken = new Set(colors.values());
    const own = Number(lastFour) % COLORS;
    const choices = Array.from({ length: COLORS }, (_, step) => (own + step) % COLORS);
    colors.set(id, choices.find((color) => !taken.has(color)) ?? own);
  }
  return colors;
}
