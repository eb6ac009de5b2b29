import { useSettings } from '#web/platform/settings/settings.ts';
import { useBusyWhile } from '#web/platform/updates/use-busy-while.ts';
import { Button } from '#web/ui/button.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { Modal } from '#web/ui/modal.tsx';
import { Cluster, Stack } from '#web/ui/stack.tsx';
import { saveFile } from '../parts/save-file.ts';
import styles from './recovery-codes-dialog.module.css';

type RecoveryCodesDialogProps = { codes: readonly string[]; intro?: string; onClose: () => void };

/** The codes are shown this once: only saying that they are kept closes it. */
export function RecoveryCodesDialog({ codes, intro = '', onClose }: RecoveryCodesDialogProps) {
  const { brand } = useSettings();
  const text = codes.join('\n');
  useBusyWhile(true, 'recovery codes on screen');
  return (
    <Modal
      title="Save these recovery codes"
      canClose={false}
      onClose={onClose}
      footer={<Button onClick={onClose}>I have saved them</Button>}
    >
      <Stack>
        <p>
          {intro}If you lose your phone, each of these codes lets you in once. They are shown only now: keep
          them where you keep other important papers.
        </p>
        <section className={styles.sheet} aria-label="Recovery codes">
          <p className={styles.printed}>{brand.name}: recovery codes</p>
          <ul className={styles.codes}>
            {codes.map((code) => (
              <li key={code}>{code}</li>
            ))}
          </ul>
        </section>
        <Cluster>
          <CopyButton size="small" text={text} label="Copy" />
          <Button
            size="small"
            variant="secondary"
            icon="download"
            onClick={() =>
              saveFile('recovery-codes.txt', 'text/plain', `${brand.name}: recovery codes\n\n${text}\n`)
            }
          >
            Download
          </Button>
          <Button size="small" variant="secondary" icon="print" onClick={() => window.print()}>
            Print
          </Button>
        </Cluster>
      </Stack>
    </Modal>
  );
}
