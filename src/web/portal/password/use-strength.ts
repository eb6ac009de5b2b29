import { useEffect, useState } from 'react';
import { pageConfig } from '#web/platform/page-config.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { estimateStrength } from './strength.ts';

/** Typing goes on for this long before it is judged. Milliseconds. */
const PAUSE = 150;

export type Strength = { missing: number; score: number | null };

/**
 * How many characters are still missing, and how hard the password is to guess (0 to 4, null when that is not
 * known). Null while there is nothing to judge.
 */
export function useStrength(password: string, { email, name }: { email: string; name: string }) {
  const brand = useSettings().brand.name;
  const [score, setScore] = useState<number | null>(null);
  useEffect(() => {
    if (password === '') return;
    let isStale = false;
    const timer = setTimeout(async () => {
      const estimated = await estimateStrength(password, { brand, email, name });
      if (!isStale) setScore(estimated);
    }, PAUSE);
    return () => {
      isStale = true;
      clearTimeout(timer);
    };
  }, [password, brand, email, name]);
  const strength: Strength = { missing: missingCharacters(password), score };
  return password === '' ? null : strength;
}

/** Counted as the server does: code points of the composed text. */
export function missingCharacters(password: string): number {
  return Math.max(0, pageConfig().password_min_length - [...password.normalize('NFC')].length);
}
