import { useEffect, useRef } from 'react';
import { t } from '#web/language/texts.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { CopyButton } from '#web/ui/form/copy-button.tsx';
import { Cluster, Stack } from '#web/ui/layout/stack.tsx';
import styles from './new-link.module.css';
import type { Sent } from './send-tickets-form.tsx';

/** The link is shown once: the server does not store it. */
export function NewLink({ share: { id, url, isMailed }, email }: Sent) {
  const box = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new link takes the focus
  useEffect(() => box.current?.focus(), [id]);
  return (
    <div ref={box} tabIndex={-1} className={styles.box}>
      <Notice
        type={email !== '' && !isMailed ? 'warning' : 'success'}
        role="status"
        title={getTitle(isMailed)}
      >
        <Stack gap="sm">
          <p>
            {isMailed && `${t('Sent to {email}. You can also send it yourself.', { email })} `}
            {!isMailed &&
              email !== '' &&
              `${t('{email} has received several of these emails today, so send the link yourself.', { email })} `}
            {t('Anyone with the link can use the tickets. It is shown only now.')}
          </p>
          <p className={styles.link} data-link="">
            {url}
          </p>
          <Cluster>
            <CopyButton text={url} label={t('Copy link')} />
            {canShare() && (
              <Button variant="secondary" onClick={() => void share(url)}>
                {t('Share')}
              </Button>
            )}
          </Cluster>
        </Stack>
      </Notice>
    </div>
  );
}

function getTitle(isMailed: boolean): string {
  return t(isMailed ? 'The tickets are sent' : 'The link is ready');
}

function canShare(): boolean {
  return typeof navigator.share === 'function';
}

/** Opens the device's share sheet. */
async function share(url: string): Promise<void> {
  try {
    await navigator.share({ title: t('Ferry tickets'), url });
  } catch {
    // Closed without a choice.
  }
}
