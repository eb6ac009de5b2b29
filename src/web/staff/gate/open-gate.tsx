import { useEffect, useMemo, useState } from 'react';
import { hasPermission, type StaffRole } from '#contract/staff/permissions.ts';
import { useNow } from '#web/features/site/use-now.ts';
import { t } from '#web/language/texts.ts';
import { useStore } from '#web/platform/create-store.ts';
import { keepScreenOn } from '#web/platform/install/wake-lock.ts';
import { serverNow } from '#web/platform/server-clock.ts';
import { useBusyWhile } from '#web/platform/updates/busy.ts';
import { whenIdle } from '#web/platform/when-idle.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Spinner } from '#web/ui/feedback/spinner.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { PageHeader } from '#web/ui/layout/page.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { AnswerPanel } from './answer/answer-panel.tsx';
import { type Answers, openAnswers } from './answer/answers.ts';
import { useSignOverride } from './answer/override-key.ts';
import { allowSound } from './answer/signals.ts';
import { BoatBar } from './boat-bar.tsx';
import { type Boat, findNextBoat, listBoats } from './boats.ts';
import { CountView } from './count/count-view.tsx';
import { canCheckSignatures } from './device/check-signature.ts';
import type { GateDevice, GateState } from './device/gate-device.ts';
import { FarePanel } from './fares/fare-panel.tsx';
import { type Fares, openFares } from './fares/shown-fare.ts';
import { type GateTab, GateTabs } from './gate-tabs.tsx';
import { QueueView } from './queue/queue-view.tsx';
import { keepReader } from './scanner/kept-reader.ts';
import { ScanView } from './scanner/scan-view.tsx';
import { readWedge } from './scanner/wedge.ts';
import { SearchView } from './search-view.tsx';
import { StatusLine } from './status-line.tsx';

type OpenGateProps = {
  device: GateDevice;
  name: string;
  /** Null while the device cannot ask the server who is signed in. */
  role: StaffRole | null;
  onChangeSetup: () => void;
};

/** The gate of a device that is set up. */
export function OpenGate({ device, name, role, onChangeSetup }: OpenGateProps) {
  const state = useStore(device.state);
  const { pack } = state;
  if (pack !== null && state.refusal === null) {
    return (
      <WorkingGate device={device} state={state} name={name} role={role} onChangeSetup={onChangeSetup} />
    );
  }
  return (
    <>
      <PageHeader title={t('Gate')} />
      <NoList state={state} onChangeSetup={onChangeSetup} />
    </>
  );
}

function NoList({ state, onChangeSetup }: { state: GateState; onChangeSetup: () => void }) {
  const change = (
    <Button variant="secondary" onClick={onChangeSetup}>
      {t('Change port or device name')}
    </Button>
  );
  switch (state.refusal) {
    case 'not_permitted':
      return (
        <Notice type="alert">
          {t('You may not check tickets. Ask a manager to give you the gate’s role.')}
        </Notice>
      );
    case 'unknown_port':
      return (
        <Notice type="alert" action={change}>
          {t('The port of this device does not exist any more. Choose another one.')}
        </Notice>
      );
    case null:
      return state.isOffline && !state.isRestoring ? (
        <Notice type="warning" role="status" action={change}>
          {t('This device has no list yet. It loads as soon as there is a connection.')}
        </Notice>
      ) : (
        <Spinner size="large" label={t('Loading the list…')} />
      );
  }
}

function WorkingGate({ device, state, name, role, onChangeSetup }: OpenGateProps & { state: GateState }) {
  const { isOffline } = state;
  useEffect(() => {
    if (isOffline) return;
    // A failure is repeated when the connection is back, or by the camera.
    return whenIdle(() => void keepReader().catch(() => undefined));
  }, [isOffline]);
  const list = device.getList();
  const boats = listBoats([...list.sailings.values()], state.pack?.port.id ?? '');
  const [chosen, setChosen] = useState<string | null>(null);
  useNow();
  const boat = findChosen(boats, chosen) ?? findNextBoat(boats, serverNow());
  const [tab, setTab] = useState<GateTab>('scan');
  const [reference, setReference] = useState<string | null>(null);
  const fares = useMemo(() => openFares(device), [device]);
  const answers = useAnswers(device, fares, boat?.sailings[0].id);
  const mayTakeFares = role === null || hasPermission(role, 'take_fares');
  useSound();
  useEffect(() => keepScreenOn(document.body, { limitMs: null }), []);
  const answered = useStore(answers.state);
  const signOverride = useSignOverride(role);
  const shownFare = useStore(fares.shown);
  useBusyWhile(answered.shown !== null || shownFare !== null, 'an answer at the gate');

  if (boat === null) {
    return (
      <>
        <PageHeader title={t('Gate')} />
        <Notice
          action={
            <Button variant="secondary" onClick={onChangeSetup}>
              {t('Change port or device name')}
            </Button>
          }
        >
          {t('No boat leaves from {port} in the next hours.', { port: state.pack?.port.name ?? '' })}
        </Notice>
      </>
    );
  }
  return (
    <Stack>
      <BoatBar
        boat={boat}
        boats={boats}
        port={state.pack?.port.name ?? ''}
        deviceName={name}
        onChoose={setChosen}
        onChangeSetup={onChangeSetup}
      />
      <StatusLine state={state} />
      <SignatureNotice />
      <GateTabs
        current={tab}
        onChange={(next) => {
          setReference(null);
          setTab(next);
        }}
      />
      {tab === 'scan' && (
        <ScanView
          list={list}
          answers={answers}
          history={answered.history}
          onReference={(typed) => {
            setReference(typed);
            setTab('search');
          }}
        />
      )}
      {tab === 'search' && <SearchView list={list} answers={answers} boat={boat} reference={reference} />}
      {tab === 'queue' && (
        <QueueView
          boat={boat}
          maySell={role !== null && hasPermission(role, 'sell_tickets')}
          onBoard={(tickets) => {
            device.record({ type: 'board', sailing_id: boat.sailings[0].id, tickets: [...tickets] });
            void device.sync();
          }}
        />
      )}
      {tab === 'count' && <CountView device={device} boat={boat} list={list} answers={answers} />}
      {shownFare && (
        <FarePanel
          key={shownFare.id}
          shown={shownFare}
          fares={mayTakeFares ? (state.pack?.fares ?? null) : null}
          deviceName={name}
          boat={boat}
          device={device}
          charge={fares.charge}
          onTaken={(fare, event) => {
            fares.dismiss();
            answers.admit(fare, event);
          }}
          onClose={fares.dismiss}
        />
      )}
      {answered.shown && (
        <AnswerPanel
          answer={answered.shown}
          answers={answers}
          list={list}
          signOverride={signOverride}
          chargesAs={role === null || hasPermission(role, 'charge_vehicles') ? name : null}
          isOffline={state.isOffline}
        />
      )}
    </Stack>
  );
}

/** Answers what is scanned for a boat, with one history for all boats. */
function useAnswers(device: GateDevice, fares: Fares, sailingId: string | undefined): Answers {
  const [current] = useState({ sailingId });
  current.sailingId = sailingId;
  const answers = useMemo(
    () =>
      openAnswers(
        device,
        () =>
          current.sailingId === undefined ? null : (device.getList().sailings.get(current.sailingId) ?? null),
        fares.take,
      ),
    [device, current, fares],
  );
  useEffect(() => readWedge((text) => void answers.take(text)), [answers]);
  return answers;
}

function findChosen(boats: readonly Boat[], voyageId: string | null): Boat | null {
  return boats.find(({ sailings: [first] }) => first.voyage_id === voyageId) ?? null;
}

/** Browsers play sound only after a press or a key. */
function useSound(): void {
  useEffect(() => {
    document.addEventListener('pointerdown', allowSound);
    document.addEventListener('keydown', allowSound);
    return () => {
      document.removeEventListener('pointerdown', allowSound);
      document.removeEventListener('keydown', allowSound);
    };
  }, []);
}

function SignatureNotice() {
  const [isAble, setIsAble] = useState(true);
  useEffect(() => {
    let isOver = false;
    void canCheckSignatures().then((result) => isOver || setIsAble(result));
    return () => {
      isOver = true;
    };
  }, []);
  if (isAble) return null;
  return (
    <Notice type="alert" title={t('This browser cannot check ticket codes')}>
      {t('Update it, or use another device. Until then, type the letters below the code, or search by name.')}
    </Notice>
  );
}
