import { t } from '#web/language/texts.ts';
import type { Leg } from '#web/platform/api/types.ts';
import { Button } from '#web/ui/form/button.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { Modal } from '#web/ui/popup/modal.tsx';
import { LegList } from '../leg-list.tsx';

type ConfirmMoveProps = {
  journey: readonly Leg[];
  onConfirm: () => void;
  onClose: () => void;
};

/** Shows the boats with their full dates before a party's tickets move to them. */
export function ConfirmMove({ journey, onConfirm, onClose }: ConfirmMoveProps) {
  return (
    <Modal
      title={t('Travel on this sailing?')}
      onClose={onClose}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            {t('Not yet')}
          </Button>
          <Button needsConnection onClick={onConfirm}>
            {t('Move all tickets')}
          </Button>
        </>
      }
    >
      <Stack>
        <LegList legs={journey} />
        <p>
          {t(
            'All of you travel on it, at no charge. Your tickets for the earlier sailing are no longer valid then.',
          )}
        </p>
      </Stack>
    </Modal>
  );
}
