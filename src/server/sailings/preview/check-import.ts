import type { SailingSurvey } from './survey-sailings.ts';

/** How many sold sailings an import may cancel or move: up to the limit, this exact number, or any. */
export type AcceptedChanges = 'within-limit' | 'all' | number;

/** Facts that decide whether an import needs to be confirmed. */
export type ImportRisk = {
  /** Number of sold sailings that would be canceled or moved. */
  affected: number;
  /** Number of all sold sailings in the future. */
  sold: number;
  limitPercent: number;
  /** Why no sailing of the feed runs from today on, in a sentence; null if one does. */
  noService: string | null;
};

/** The import was refused and nothing was written. */
export class ImportRefused extends Error {
  override readonly name = 'ImportRefused';
  readonly risk: ImportRisk;
  /** The last day for which the feed can be relied on; null if no trip ever runs. */
  readonly endsOn: string | null;

  constructor(risk: ImportRisk, endsOn: string | null) {
    super(`${describeRisk(risk).join(' ')} Nothing was done. ${describeRemedy(risk)}`);
    this.risk = risk;
    this.endsOn = endsOn;
  }
}

/** What a person checked before an import. */
export type CheckedImport = {
  /** Revision of the timetable at that time; null: there was none. */
  revision: string | null;
  /** Of the files. */
  digest: string;
  /** Number of sold sailings that are canceled or moved. */
  affected: number;
};

/** The timetable, the files or their effect are not those that were checked. Nothing was written. */
export class ImportOutdated extends Error {
  override readonly name = 'ImportOutdated';
}

export function measureRisk(
  { canceled, moved }: Pick<SailingSurvey, 'canceled' | 'moved'>,
  riskFactors: Omit<ImportRisk, 'affected'>,
): ImportRisk {
  return { ...riskFactors, affected: canceled.length + moved.length };
}

/** Whether an import is refused unless its number of affected sailings is confirmed. */
export function needsConfirmation({ affected, sold, limitPercent, noService }: ImportRisk): boolean {
  return noService !== null || affected * 100 > sold * limitPercent;
}

/** @throws {ImportRefused} */
export function refuseUnaccepted(
  risk: ImportRisk,
  { accepted, endsOn }: { accepted: AcceptedChanges; endsOn: string | null },
): void {
  const isAccepted =
    accepted === 'within-limit' ? !needsConfirmation(risk) : accepted === 'all' || accepted === risk.affected;
  if (!isAccepted) throw new ImportRefused(risk, endsOn);
}

/** Why an import needs to be confirmed, in sentences. */
export function describeRisk({ affected, sold, limitPercent, noService }: ImportRisk): string[] {
  const share = sold === 0 ? '' : ` (${formatPercent((affected * 100) / sold)} %)`;
  const limit = affected * 100 > sold * limitPercent ? `, more than ${limitPercent} %` : '';
  return [
    ...(noService === null ? [] : [noService]),
    `This import would cancel or move ${affected} of ${sold} sold sailings${share}${limit}.`,
  ];
}

export function describeRemedy({ affected }: ImportRisk): string {
  return `--preview lists them; --accept-changes ${affected} imports the feed all the same.`;
}

function formatPercent(value: number): string {
  return String(value < 10 ? Math.round(value * 10) / 10 : Math.round(value));
}
