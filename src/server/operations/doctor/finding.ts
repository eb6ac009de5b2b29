/** Something wrong or missing in an installation. An error harms customers or the operator; the rest should be known. */
export type Finding = {
  severity: 'error' | 'warning';
  /** One sentence. */
  problem: string;
  /** What the operator does about it, one or two sentences. */
  remedy: string;
};

export function describeFinding({ severity, problem, remedy }: Finding): string {
  return `${severity === 'error' ? 'Error' : 'Warning'}: ${problem} ${remedy}`;
}

/** Errors first. */
export function sortFindings(findings: readonly Finding[]): Finding[] {
  return findings.toSorted((a, b) => a.severity.localeCompare(b.severity));
}

/** One finding if the condition holds, otherwise none. */
export function findingIf(condition: boolean, finding: Finding): Finding[] {
  return condition ? [finding] : [];
}

/** Other machines, as the installation reaches them. */
export type Outside = {
  /** The TXT records of a name; empty if it has none. */
  resolveTxt(name: string): Promise<readonly string[]>;
  fetch(url: string): Promise<Response>;
  /** Connects and signs in to the mail server. */
  verifyMailServer(smtpUrl: string): Promise<void>;
  /** The time of the database server's clock. */
  readDatabaseTime(): Promise<Date>;
};
