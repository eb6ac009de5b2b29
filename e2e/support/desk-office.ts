import { expect, type Locator, type Page } from '@playwright/test';
import { sql } from 'drizzle-orm';
import type { Order } from '#contract/orders/schemas.ts';
import type { StaffRole } from '#contract/staff/permissions.ts';
import { openDatabase, queryRows } from '#server/database/database.ts';
import { type Contradiction, EVERY_QUERY } from '#tests/server/histories/invariant-queries.ts';
import { type SmtpCatcher, startSmtpCatcher } from '#tests/server/mail/smtp-catcher.ts';
import { startCluster } from '#tests/setup/engine.ts';
import { type GateOffice, openGateOffice } from './gate-office.ts';
import { acceptQuietly } from './staff-people.ts';

/** The demo operator on a separate PostgreSQL, whose books can be checked while it serves, with a mail server that may refuse. */
export type DeskOffice = GateOffice & {
  /** Has the mails, and the addresses that it refuses. */
  mailbox: SmtpCatcher;
  /** The text of the newest mail to an address with this subject, once it has arrived. */
  readMail(address: string, subject: RegExp): Promise<string>;
  readOrder(id: string): Promise<Order>;
  /** What the database has that contradicts a promise of the ticket office. */
  checkBooks(): Promise<Contradiction[]>;
};

/** @param settings further variables of the server's environment */
export async function openDeskOffice(settings: Record<string, string> = {}): Promise<DeskOffice> {
  const [cluster, mailbox] = await Promise.all([startCluster(), startSmtpCatcher()]);
  // Behind a proxy, so that requests of many buyers come from many networks.
  const env = {
    ...{ DATABASE_URL: cluster.url, SMTP_URL: mailbox.url, TRUST_PROXY: '1' },
    // The books of the demo's first orders are checked, too, also after the hour at which old mails are deleted.
    ...{ KEEP_MAILS_DAYS: '365', ...settings },
  };
  const office = await openGateOffice(env);
  const database = await openDatabase({ url: cluster.url, folder: null });
  return {
    ...office,
    mailbox,
    async readMail(address, subject) {
      const list = () => mailbox.caught.filter(({ recipients }) => recipients.includes(address));
      const message = `mail about ${subject} arrives`;
      await expect
        .poll(() => list().map(({ mail }) => mail.subject), { message, timeout: 30_000 })
        .toContainEqual(expect.stringMatching(subject));
      return list().findLast(({ mail }) => subject.test(mail.subject ?? ''))?.mail.text ?? '';
    },
    readOrder: async (id) => (await office.send(`/api/orders/${id}`)).json().data,
    checkBooks: () => queryRows<Contradiction>(database.db, sql.raw(EVERY_QUERY)),
    async stop() {
      await office.stop();
      await Promise.all([database.close(), mailbox.close()]);
      await cluster.stop();
    },
  };
}

/** Signs in someone who was invited. */
export async function signInAs(
  page: Page,
  office: GateOffice,
  role: StaffRole,
  name?: string,
): Promise<void> {
  await acceptQuietly(page, await office.invite(role, name));
}

/** The texts of a table's cells, by row. */
export function readCells(table: Locator): Promise<string[][]> {
  return table
    .locator('tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) => [...row.children].map((cell) => (cell as HTMLElement).innerText)),
    );
}

/**
 * Expects what these people did, the earliest first: the action, and who did it. The same one several times in a row counts
 * once, and looking at data is left out.
 */
export async function expectAudited(
  manager: Page,
  office: GateOffice,
  entries: readonly (readonly [action: string, name: string])[],
): Promise<void> {
  await manager.goto(`${office.origin}/audit?action=changes`);
  const log = manager.getByRole('table', { name: 'Audit log' });
  await expect(log).toBeVisible();
  const rows = (await readCells(log)).map((cells) =>
    cells.slice(0, 2).map((text) => text.split('\n')[0] ?? ''),
  );
  const names = new Set(entries.map(([, name]) => name));
  const work = rows
    .filter(([action = '', name = '']) => names.has(name) && action !== 'Accepted an invitation')
    .toReversed();
  expect(work.filter((row, index) => String(row) !== String(work[index - 1]))).toEqual(entries);
}
