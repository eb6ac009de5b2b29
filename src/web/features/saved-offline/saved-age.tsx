import { useConnectionPhase } from '#web/platform/connection/connection.ts';
import { findOldest, formatFreshness, formatSaved } from './freshness.ts';
import styles from './saved-age.module.css';

type SavedAgeProps = {
  /** When each of the things on screen was so; the oldest is told. */
  asOf: readonly string[];
  isFresh: boolean;
  /** In milliseconds. */
  now: number;
};

/** How old what is on screen is: read just now, or kept on this device from before. */
export function SavedAge({ asOf, isFresh, now }: SavedAgeProps) {
  const oldest = findOldest(asOf);
  if (oldest === null) return null;
  return (
    <time dateTime={oldest.toISOString()} data-age="saved">
      {isFresh ? formatFreshness(asOf, now) : formatSaved(asOf, now)}
    </time>
  );
}

/** The same as a line of its own, beside what says more. */
export function SavedAgeLine(props: SavedAgeProps) {
  return (
    <p className={styles.line}>
      <SavedAge {...props} />
    </p>
  );
}

/** Read from the server since this page began, and nothing speaks against it since. */
export function useIsFresh(...queries: readonly { isFetched: boolean; isError: boolean }[]): boolean {
  const isConnected = useConnectionPhase() !== 'lost';
  return isConnected && queries.every(({ isFetched, isError }) => isFetched && !isError);
}
