import { useEffect, useState } from 'react';
import { message } from '#messages/translate.ts';
import { t } from '#web/language/texts.ts';
import { pageConfig } from '#web/platform/page-config.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { PasswordField } from '#web/ui/form/password-field.tsx';
import styles from './new-password-field.module.css';
import { estimateStrength } from './strength.ts';

/** The field that the server's refusals of a new password are about. */
export const PASSWORD_REFUSALS = {
  password_too_short: 'password',
  password_too_long: 'password',
  password_too_common: 'password',
} as const;

/** Milliseconds without typing before the password is judged. */
const ESTIMATE_AFTER = 150;
/** The strength is announced after a pause, not at each letter. Milliseconds. */
const ANNOUNCE_AFTER = 1000;

export type NewPasswordFieldProps = {
  id: string;
  label: string;
  name?: string;
  error: string | undefined;
  value: string;
  onChange: (password: string) => void;
  /** What an attacker who knows the owner would try first; empty if unknown. */
  context: { email: string; name: string };
};

export function NewPasswordField({ context, onChange, ...field }: NewPasswordFieldProps) {
  const score = useScore(field.value, context);
  return (
    <div>
      <PasswordField
        {...field}
        autoComplete="new-password"
        hint={t(
          'At least {count, plural, one {# character} other {# characters}}. A few unrelated words make a good one.',
          { count: pageConfig().password_min_length },
        )}
        required
        onChange={(event) => onChange(event.target.value)}
      />
      <StrengthMeter password={field.value} score={score} />
    </div>
  );
}

/** A score from 0 to 4 of the password typed last; null if not known. */
function useScore(password: string, { email, name }: { email: string; name: string }): number | null {
  const brand = useSettings().brand.name;
  const [score, setScore] = useState<number | null>(null);
  useEffect(() => {
    if (password === '') return;
    let isStale = false;
    const timer = setTimeout(async () => {
      const estimated = await estimateStrength(password, { brand, email, name });
      if (!isStale) setScore(estimated);
    }, ESTIMATE_AFTER);
    return () => {
      isStale = true;
      clearTimeout(timer);
    };
  }, [password, brand, email, name]);
  return score;
}

/** Counts code points of the composed text, as the server does. */
export function countMissingCharacters(password: string): number {
  return Math.max(0, pageConfig().password_min_length - [...password.normalize('NFC')].length);
}

const STEPS = [1, 2, 3, 4];
const VERDICTS = [
  message('Too easy to guess. Try a few unrelated words.'),
  message('Too easy to guess. Try a few unrelated words.'),
  message('Still easy to guess. Add another word.'),
  message('Good password.'),
  message('Very good password.'),
];

/** The strength in words; the bar is decoration. Nothing if it is not known. */
function StrengthMeter({ password, score }: { password: string; score: number | null }) {
  const missing = countMissingCharacters(password);
  const verdict = password === '' ? '' : describeStrength(missing, score);
  const announced = useDebounced(verdict);
  const level = missing > 0 ? 1 : Math.max(1, score ?? 0);
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

function describeStrength(missing: number, score: number | null): string {
  if (missing === 1) return t('One more character.');
  if (missing > 0) {
    return t('{count, plural, one {# more character} other {# more characters}}.', { count: missing });
  }
  const verdict = VERDICTS[score ?? -1];
  return verdict === undefined ? '' : t(verdict);
}

function useDebounced(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), ANNOUNCE_AFTER);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
