import { useId, useState } from 'react';
import { t } from '#web/language/texts.ts';
import { saveFile } from '#web/platform/save-file.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { useBusyWhile } from '#web/platform/updates/busy.ts';
import { Button } from '#web/ui/form/button.tsx';
import { Checkbox } from '#web/ui/form/checkbox.tsx';
import { CopyButton } from '#web/ui/form/copy-button.tsx';
import { Cluster, Stack } from '#web/ui/layout/stack.tsx';
import { Modal } from '#web/ui/popup/modal.tsx';
import styles from './recovery-codes-dialog.module.css';

type RecoveryCodesDialogProps = { codes: readonly string[]; intro?: string; onClose: () => void };

/** The codes are shown once, so the dialog closes only after they were copied, downloaded or ticked as saved. */
export function RecoveryCodesDialog({ codes, intro = '', onClose }: RecoveryCodesDialogProps) {
  const { brand } = useSettings();
  const heading = t('{brand}: recovery codes', { brand: brand.name });
  const text = codes.join('\n');
  const boxId = useId();
  const [isSaved, setIsSaved] = useState(false);
  const [isMissing, setIsMissing] = useState(false);
  const markSaved = () => setIsSaved(true);

  function finish() {
    if (isSaved) return onClose();
    setIsMissing(true);
    document.getElementById(boxId)?.focus();
  }

  useBusyWhile(true, 'recovery codes on screen');
  return (
    <Modal
      title={t('Save these recovery codes')}
      canClose={false}
      onClose={onClose}
      footer={<Button onClick={finish}>{t('Done')}</Button>}
    >
      <Stack>
        <p>
          {intro && `${intro} `}
          {t(
            'Each code signs you in once if you lose your phone. Save them somewhere safe. You won’t see them again.',
          )}
        </p>
        <section className={styles.sheet} aria-label={t('Recovery codes')}>
          <p className={styles.printed}>{heading}</p>
          <ul className={styles.codes} translate="no">
            {codes.map((code) => (
              <li key={code}>{code}</li>
            ))}
          </ul>
        </section>
        <Cluster>
          <CopyButton size="small" text={text} label={t('Copy')} onCopied={markSaved} />
          <Button
            size="small"
            variant="secondary"
            icon="download"
            onClick={() => {
              saveFile('recovery-codes.txt', 'text/plain', `${heading}\n\n${text}\n`);
              markSaved();
            }}
          >
            {t('Download')}
          </Button>
          <Button size="small" variant="secondary" icon="print" onClick={() => window.print()}>
            {t('Print')}
          </Button>
        </Cluster>
        <Checkbox
          id={boxId}
          label={t('I have saved these codes')}
          checked={isSaved}
          onChange={(event) => setIsSaved(event.target.checked)}
          error={
            isMissing && !isSaved ? t('Copy or download your codes first, or check this box.') : undefined
          }
        />
      </Stack>
    </Modal>
  );
}
