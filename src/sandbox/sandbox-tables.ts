import { cardProviderTables } from './card-provider/records.ts';
import { inboxTables } from './inbox/tables.ts';
import { pushServiceTables } from './push-service/tables.ts';
import { smsGatewayTables } from './sms-gateway/tables.ts';
import { prepareTables, type SqlStore } from './sql-store.ts';

/** Creates the tables of all stand-ins, for rows from elsewhere. */
export async function createSandboxTables(store: SqlStore): Promise<void> {
  await prepareTables(store, [
    ...cardProviderTables,
    ...inboxTables,
    ...pushServiceTables,
    ...smsGatewayTables,
  ]);
}
