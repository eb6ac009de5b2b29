import { useConnectionPhase } from '#web/platform/connection/connection.ts';
import { findOldest, formatChecked, formatFreshness, formatSaved } from './freshness.ts';

type SavedAgeProps = {
  /** When each item was loaded; the oldest is shown. */
  asOf: readonly string[];
  isFresh: boolean;
  /** In milliseconds. */
  now: number;
  /** `checked` for tickets, because a saved ticket may have been canceled since. */
  kind?: 'saved' | 'checked';
};

/** When the data on screen was loaded, or saved on this device. */
export function SavedAge({ asOf, isFresh, now, kind = 'saved' }: SavedAgeProps) {
  const oldest = findOldest(asOf);
  if (oldest === null) return null;
  const formatOld = kind === 'checked' ? formatChecked : formatSaved;
  return (
    <time dateTime={oldest.toISOString()} data-age={kind}>
      {isFresh ? formatFreshness(asOf, now) : formatOld(asOf, now)}
    </time>
  );
}

/** The same as a paragraph. */
export function SavedAgeLine(props: SavedAgeProps) {
  return (
    <p className="note">
      <SavedAge {...props} />
    </p>
  );
}

/** Whether the data was loaded from the server by this page and is not known to be outdated. */
export function useIsFresh(...queries: readonly { isFetched: boolean; isError: boolean }[]): boolean {
  const isConnected = useConnectionPhase() !== 'lost';
  return isConnected && queries.every(({ isFetched, isError }) => isFetched && !isError);
}
