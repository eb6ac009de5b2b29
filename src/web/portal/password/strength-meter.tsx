import { useEffect, useState } from 'react';
import styles from './strength-meter.module.css';
import type { Strength } from './use-strength.ts';

/** Announced after a pause, not at each letter. Milliseconds. */
const ANNOUNCE_AFTER = 1000;
const STEPS = [1, 2, 3, 4];
const VERDICTS = [
  'Too easy to guess. Try a few unrelated words.',
  'Too easy to guess. Try a few unrelated words.',
  'Still easy to guess. Add another word.',
  'Good password.',
  'Very good password.',
];

/** The strength in words; the bar is decoration. Nothing if it is not known. */
export function StrengthMeter({ strength }: { strength: Strength | null }) {
  const verdict = strength === null ? '' : describeStrength(strength);
  const announced = useDebounced(verdict);
  const level = strength === null ? 0 : findLevel(strength);
  return (
    <>
      {verdict !== '' && (
        <div className={styles.meter} data-level={level} aria-hidden="true">
          <div className={styles.bar}>
            {STEPS.map((step) => (
              <span key={step} className={styles.step} data-filled={step <= level || undefined} />
            ))}
          </div>
          <p className={styles.verdict}>{verdict}</p>
        </div>
      )}
      <output className="visually-hidden">{announced}</output>
    </>
  );
}

function describeStrength({ missing, score }: Strength): string {
  if (missing > 0) return missing === 1 ? 'One more character.' : `${missing} more characters.`;
  return score === null ? '' : (VERDICTS[score] ?? '');
}

function findLevel({ missing, score }: Strength): number {
  return missing > 0 ? 1 : Math.max(1, score ?? 0);
}

function useDebounced(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), ANNOUNCE_AFTER);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
