import type { BoatChangeOutcome, PortClosureInput } from '#contract/desk/schemas.ts';
import { findOfferedLanguage } from '#messages/languages.ts';
import type { CommandContext } from '#server/context.ts';
import { inPreview, inTransaction } from '#server/database/transactions.ts';
import { recordException } from '#server/operations/change-sailings.ts';
import { loadWebSettings } from '#server/settings/web-settings.ts';
import { describeSaid, findSailings, presentOutcome, type Reading, refuseUnknown } from './boat-outcome.ts';

type Closure = Reading & { port: string; closure: PortClosureInput };

/**
 * Closes a port on some service days, as `npm run sailings -- close-port` does: the sailings from it and to it are canceled.
 * @throws {ApiError} not_found
 */
export async function closePort(
  context: CommandContext,
  { port, closure: { from, until, ...texts }, ...reading }: Closure,
): Promise<BoatChangeOutcome> {
  return inTransaction(context.db, async (tx) => {
    const { language } = await loadWebSettings({ db: tx });
    const said = describeSaid(texts, findOfferedLanguage(language));
    const input = { kind: 'port_closed', port, from, until, ...said, actor: reading.actor } as const;
    const recorded = await refuseUnknown('not_found', () => recordException({ ...context, db: tx }, input));
    const sailingIds = await findSailings(tx, recorded.recorded);
    return presentOutcome({ ...context, db: tx }, recorded, { ...reading, sailingIds });
  });
}

/** Tells what a closure would do: makes it, and takes the transaction back. */
export async function previewPortClosure(
  context: CommandContext,
  closure: Closure,
): Promise<BoatChangeOutcome> {
  const outcome = await inPreview(context.db, (tx) => closePort({ ...context, db: tx }, closure));
  return { ...outcome, changes: [] };
}
