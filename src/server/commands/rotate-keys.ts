import type { CommandContext } from '../context.ts';
import { createVault } from '../core/vault.ts';
import { reencrypt } from '../keys/reencrypt.ts';
import { createTicketSigner, revokeTicketKey, rotateTicketKey } from '../orders/tickets/keys.ts';
import { reissueTickets } from '../orders/tickets/reissue-tickets.ts';
import { deleteGeneratedSecret, loadSecrets, retireSecrets } from '../secrets.ts';
import { type Command, readArguments, UsageError } from './command.ts';
import { runCommand } from './run-command.ts';

const usage = `Replaces keys and secrets without losing what was made with them. docs/operating.md has the steps.

  npm run keys:rotate -- secret
      Encrypts everything with APP_SECRET that APP_SECRET_PREVIOUS, or the generated secret, has encrypted. Afterwards
      APP_SECRET alone is enough.

  npm run keys:rotate -- tickets
      Signs tickets with a new key from now on. Sold tickets stay valid.

  npm run keys:rotate -- tickets --revoke KEY
      Ends a key that others know. Tickets signed with it are refused by gates and signed again, and their buyers get a
      mail with the new codes.
`;

type Input = { kind: 'secret' } | { kind: 'tickets'; revoked: string | null };

/** A key was named that does not exist. */
class UnknownKey extends Error {}

export const rotateKeysCommand: Command<Input> = {
  name: 'keys:rotate',
  usage,
  read(args) {
    const { values, positionals } = readArguments(args, { revoke: { type: 'string' } });
    const [kind, ...more] = positionals;
    const isKnown = kind === 'tickets' || (kind === 'secret' && values.revoke === undefined);
    if (!isKnown || more.length > 0) throw new UsageError('Name what to replace: secret or tickets.');
    return kind === 'secret' ? { kind } : { kind: 'tickets', revoked: values.revoke ?? null };
  },
  run: (context, input) => (input.kind === 'secret' ? rotateSecret(context) : rotateTickets(context, input)),
  refusals: [UnknownKey],
};

if (import.meta.main) await runCommand(rotateKeysCommand);

async function rotateSecret({ db, config }: CommandContext): Promise<string> {
  const secrets = await loadSecrets(db, config);
  const vault = createVault(secrets);
  await retireSecrets(db, secrets);
  const { changed, unreadable } = await reencrypt(db, vault);
  if (config.appSecret !== null) await deleteGeneratedSecret(db);
  const replaced = secrets.accepted.length + secrets.retired.length;
  return [
    replaced === 0
      ? 'There is no earlier secret. To replace the present one, see docs/operating.md.'
      : `${changed} values are encrypted with the current secret now.`,
    ...(unreadable > 0 ? [`${unreadable} values cannot be read with any known secret.`] : []),
    ...(config.previousSecrets.length > 0
      ? ['Unset APP_SECRET_PREVIOUS at the next start. Keep it as long as backups of its time.']
      : []),
  ].join('\n');
}

async function rotateTickets(
  context: CommandContext,
  { revoked }: { revoked: string | null },
): Promise<string> {
  if (revoked === null) {
    const keyId = await rotateTicketKey(context);
    return `Tickets are signed with ${keyId} within seconds. Make a backup now.`;
  }
  if (!(await revokeTicketKey(context, revoked))) throw new UnknownKey(`There is no key ${revoked}.`);
  const ticketSigner = await createTicketSigner(context);
  const count = await reissueTickets({ ...context, ticketSigner });
  return [
    `${revoked} is revoked, and gone from /api/keys within five minutes. Tickets are signed with ${ticketSigner.keyId}.`,
    `The tickets of ${count} orders were signed again, and their buyers are mailed. Make a backup now.`,
  ].join('\n');
}
