import { useEffect, useState } from 'react';
import { pageConfig } from '#web/platform/page-config.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { estimateStrength } from './strength.ts';

/** Milliseconds without typing before the password is judged. */
const PAUSE = 150;

export type Strength = { missing: number; score: number | null };

/** The number of missing characters, and a score from 0 to 4 (null if not known). Null without a password. */
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
  const strength: Strength = { missing: countMissingCharacters(password), score };
  return password === '' ? null : strength;
}

/** Counts code points of the composed text, as the server does. */
export function countMissingCharacters(password: string): number {
  return Math.max(0, pageConfig().password_min_length - [...password.normalize('NFC')].length);
}
