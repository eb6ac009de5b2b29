import { type Command, type CommandContext, readArguments, UsageError } from '../command.ts';
import { createVault } from '../core/vault.ts';
import { runCommand } from '../run-command.ts';
import { deleteGeneratedSecret, loadSecrets, retireSecrets } from '../secrets.ts';
import { reencrypt } from './reencrypt.ts';

const usage = `Replaces keys and secrets without losing what was made with them. docs/operating.md has the steps.

  npm run keys:rotate -- secret
      Encrypts everything with APP_SECRET that APP_SECRET_PREVIOUS, or the generated secret, has encrypted. Afterwards
      APP_SECRET alone is enough.
`;

type Input = { kind: 'secret' };

export const rotateKeysCommand: Command<Input> = {
  name: 'keys:rotate',
  usage,
  read(args) {
    const { positionals } = readArguments(args, {});
    const [kind, ...more] = positionals;
    if (kind !== 'secret' || more.length > 0) throw new UsageError('Name what to replace: secret.');
    return { kind };
  },
  run: (context) => rotateSecret(context),
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
