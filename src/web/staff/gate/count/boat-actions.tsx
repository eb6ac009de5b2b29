import { type ReactNode, useState } from 'react';
import { closeCheckIn, departSailing, reopenCheckIn } from '#contract/gate/endpoints.ts';
import { DEPARTURE_UNDO_MS } from '#contract/gate/limits.ts';
import type { BoardingCount } from '#domain/boarding/count-boarding.ts';
import { t } from '#web/language/texts.ts';
import { requestVerbatim } from '#web/platform/api/request.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import { serverNow } from '#web/platform/server-clock.ts';
import { Notice, Problem } from '#web/ui/feedback/notice.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { Modal } from '#web/ui/popup/modal.tsx';
import { describeMissingDetails } from '../boat-texts.ts';
import type { Boat } from '../boats.ts';
import type { GateDevice } from '../device/gate-device.ts';
import { PaperList } from './paper-list.tsx';

type BoatActionsProps = { device: GateDevice; boat: Boat; count: BoardingCount };

const CALLS = { close: closeCheckIn, reopen: reopenCheckIn, depart: departSailing };
type Change = keyof typeof CALLS;

/** Closes and opens check-in and records the departure. Each asks once, because others act on it. */
export function BoatActions({ device, boat, count }: BoatActionsProps) {
  const [asked, setAsked] = useState<Change | null>(null);
  const [sailing] = boat.sailings;
  const isClosed = sailing.check_in_closed_at !== null;
  const { departed_at: departedAt } = sailing;
  const hasDeparted = departedAt !== null;
  const isJustDeparted = hasDeparted && serverNow() - Date.parse(departedAt) < DEPARTURE_UNDO_MS;
  return (
    <Stack data-no-print="">
      {sailing.status === 'scheduled' && !hasDeparted && (
        <>
          {isClosed ? (
            <Button variant="secondary" block needsConnection onClick={() => setAsked('reopen')}>
              {t('Open check-in again')}
            </Button>
          ) : (
            <Button variant="secondary" block needsConnection onClick={() => setAsked('close')}>
              {t('Close check-in')}
            </Button>
          )}
          <Button block needsConnection onClick={() => setAsked('depart')}>
            {t('The boat has departed')}
          </Button>
        </>
      )}
      {isJustDeparted && (
        <Button variant="secondary" block needsConnection onClick={() => setAsked('reopen')}>
          {t('It has not departed')}
        </Button>
      )}
      <PaperList device={device} boat={boat} />
      {asked !== null && (
        <Confirmation
          change={asked}
          device={device}
          boat={boat}
          count={count}
          onClose={() => setAsked(null)}
        />
      )}
    </Stack>
  );
}

type ConfirmationProps = BoatActionsProps & { change: Change; onClose: () => void };

function Confirmation({ change, device, boat, count, onClose }: ConfirmationProps) {
  const action = useAction(
    async () => {
      // People aboard whom the server does not know of would lose their places.
      if (!(await device.sync())) throw new Unsent();
      return requestVerbatim(CALLS[change], { params: { id: boat.sailings[0].id } });
    },
    {
      onDone: ({ sailings }) => {
        device.putSailings(sailings);
        onClose();
        void device.sync();
      },
    },
  );
  const { title, text, button } = describeChange(change, count);
  const missing = boat.sailings.reduce((sum, sailing) => sum + (sailing.travelers_without_details ?? 0), 0);
  const problem =
    action.failure instanceof Unsent
      ? t('What this device has scanned is not sent yet. Try again when you have a connection.')
      : action.problem;
  return (
    <Modal
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            {t('Back')}
          </Button>
          <Button needsConnection isPending={action.isPending} onClick={() => action.run()}>
            {button}
          </Button>
        </>
      }
    >
      <Problem text={problem} />
      {change !== 'reopen' && missing > 0 && (
        <Notice type="warning">{describeMissingDetails(missing)}</Notice>
      )}
      {text}
    </Modal>
  );
}

/** The server does not know yet what this device has scanned. */
class Unsent extends Error {
  override readonly name = 'Unsent';
}

function describeChange(
  change: Change,
  { missing, people, titles }: BoardingCount,
): { title: string; text: ReactNode; button: string } {
  const count = missing.reduce((sum, { tickets }) => sum + tickets.length, 0);
  switch (change) {
    case 'close':
      return {
        title: t('Close check-in?'),
        text: (
          <>
            <p>
              {t(
                '{count, plural, =0 {All tickets are aboard.} one {# ticket is not aboard. Its place is free for others from then on.} other {# tickets are not aboard. Their places are free for others from then on.}}',
                { count },
              )}
            </p>
            {count > 0 && titles.every(({ aboard }) => aboard === 0) && (
              <p>{t('If the list was printed, the places stay taken, because it is not known who came.')}</p>
            )}
          </>
        ),
        button: t('Close check-in'),
      };
    case 'reopen':
      return {
        title: t('Open check-in again?'),
        text: <p>{t('People who missed it may board if their places are still free.')}</p>,
        button: t('Open check-in'),
      };
    case 'depart':
      return {
        title: t('Has the boat departed?'),
        text: (
          <p>
            {t(
              '{people, plural, one {# person is aboard.} other {# people are aboard.}} You can take this back for ten minutes.',
              { people },
            )}
          </p>
        ),
        button: t('It has departed'),
      };
  }
}
