import { useEffect, useState } from 'react';
import type { TripCard } from '#web/platform/api/types.ts';

export function cardElementId(id: string): string {
  return `trip-card-${id}`;
}

/** A card just come by takes the focus as soon as it is on screen: what opened its dialog may be gone by then. */
export function useFocusOnCard(cards: readonly TripCard[]): (id: string) => void {
  const [wanted, setWanted] = useState<string | null>(null);
  useEffect(() => {
    if (wanted === null || !cards.some(({ id }) => id === wanted)) return;
    setWanted(null);
    document.getElementById(cardElementId(wanted))?.focus();
  }, [cards, wanted]);
  return setWanted;
}
