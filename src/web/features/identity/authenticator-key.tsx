import { QrCode } from '#web/features/ticket/qr-code.tsx';
import { rich } from '#web/language/rich.ts';
import { t } from '#web/language/texts.ts';
import type { AuthenticatorSetup } from '#web/platform/api/types.ts';
import { CopyButton } from '#web/ui/form/copy-button.tsx';
import { Cluster, Stack } from '#web/ui/layout/stack.tsx';
import styles from './authenticator-key.module.css';

/** The key of a new authenticator, to scan or to type. */
export function AuthenticatorKey({ setup }: { setup: AuthenticatorSetup }) {
  return (
    <Stack gap="sm">
      <p>{t('Scan this with your authenticator app.')}</p>
      <div className={styles.code}>
        <QrCode payload={setup.otpauthUri} label={t('Code to scan with your authenticator app')} />
      </div>
      <p>
        {rich('App on this device? <link>Open it there</link>, or enter this key:', {
          link: (text) => <a href={setup.otpauthUri}>{text}</a>,
        })}
      </p>
      <Cluster>
        <code className={styles.secret} translate="no">
          {groupByFour(setup.secret)}
        </code>
        <CopyButton size="small" text={setup.secret} label={t('Copy')} />
      </Cluster>
    </Stack>
  );
}

/** In groups of four, which are easier to type. */
function groupByFour(secret: string): string {
  return secret.match(/.{1,4}/g)?.join(' ') ?? secret;
}
