import { useEffect } from 'react';
import { publishSettings } from '#contract/desk/settings/endpoints.ts';
import { t } from '#web/language/texts.ts';
import { hasErrorCode } from '#web/platform/api/api-error.ts';
import { request } from '#web/platform/api/request.ts';
import type { SettingChange, SettingDifference, StaffSettings } from '#web/platform/api/types.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import { applyAccent } from '#web/platform/settings/accent.ts';
import { currentSettings } from '#web/platform/settings/settings.ts';
import { Problem } from '#web/ui/feedback/notice.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { Modal } from '#web/ui/popup/modal.tsx';
import { DifferenceTable } from './difference-table.tsx';
import { PreviewedPages } from './previewed-pages.tsx';

/** `isEarlier`: the changes are not those typed in the form, but lead back to an earlier version. */
export type SettingsPreview = {
  changes: SettingChange[];
  differences: SettingDifference[];
  isEarlier: boolean;
};

type PreviewDialogProps = {
  preview: SettingsPreview;
  /** The settings that the changes are made to. */
  base: StaffSettings;
  onClose: () => void;
  onPublished: (settings: StaffSettings) => void;
  /** Others have published meanwhile. */
  onOutdated: () => Promise<void>;
};

/** Shows what changes before it is published. This page has the new accent meanwhile. */
export function PreviewDialog({ preview, base, onClose, onPublished, onOutdated }: PreviewDialogProps) {
  const { changes, differences } = preview;
  usePreviewedAccent(differences);
  const publish = useAction(() => request(publishSettings, { body: { version: base.version, changes } }), {
    onDone: onPublished,
    onFailed: (failure) => {
      if (hasErrorCode(failure, 'settings_changed')) void onOutdated();
    },
  });
  return (
    <Modal
      title={t('Publish these settings?')}
      size="4xl"
      onClose={onClose}
      canClose={!publish.isPending}
      footer={
        <>
          <Button variant="secondary" aria-disabled={publish.isPending} onClick={onClose}>
            {t('Back')}
          </Button>
          <Button
            needsConnection
            isPending={publish.isPending}
            pendingText={t('Publishing…')}
            onClick={() => publish.run()}
          >
            {t('Publish')}
          </Button>
        </>
      }
    >
      <Stack>
        <Problem text={publish.problem} />
        <p>{t('All customers see this at once, and mails and documents follow it.')}</p>
        {differences.length === 0 ? (
          <p>{t('Nothing changes for customers.')}</p>
        ) : (
          <>
            <DifferenceTable differences={differences} of={base} />
            <PreviewedPages />
          </>
        )}
      </Stack>
    </Modal>
  );
}

function usePreviewedAccent(differences: readonly SettingDifference[]): void {
  const accent = differences.find(({ path }) => path === 'brand.accent')?.after;
  useEffect(() => {
    if (typeof accent !== 'string') return;
    applyAccent(accent);
    return () => applyAccent(currentSettings().brand.accent);
  }, [accent]);
}
