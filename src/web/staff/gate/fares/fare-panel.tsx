import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { FareCard, FareParty, GateFares, SailingFares } from '#contract/gate/fares/schemas.ts';
import type { GateEvent } from '#contract/gate/schemas.ts';
import { decideFare } from '#domain/boarding/decide-fare.ts';
import { formatOnCard } from '#web/features/trip-card/card-amount.ts';
import { t } from '#web/language/texts.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import { serverNow } from '#web/platform/server-clock.ts';
import { Problem } from '#web/ui/feedback/notice.tsx';
import { Spinner } from '#web/ui/feedback/spinner.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Counter } from '#web/ui/form/counter.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { useModalDialog } from '#web/ui/popup/use-modal-dialog.ts';
import styles from '../answer/answer-panel.module.css';
import type { AnsweredFare } from '../answer/answers.ts';
import { giveSignal } from '../answer/signals.ts';
import type { Boat } from '../boats.ts';
import type { GateDevice } from '../device/gate-device.ts';
import { describeFareStop, describeProblem, describeTravelers, nameCard } from './fare-texts.ts';
import { addOfflineFare } from './offline-fares.ts';
import type { Fares, ShownFare } from './shown-fare.ts';

type FarePanelProps = {
  shown: ShownFare;
  /** Null: the list was saved by an earlier release, or the role may take no fares. */
  fares: GateFares | null;
  boat: Boat;
  device: GateDevice;
  deviceName: string;
  charge: Fares['charge'];
  onTaken: (fare: Omit<AnsweredFare, 'refund'>, event: GateEvent) => void;
  onClose: () => void;
};

/** Fills the screen with what a trip card or pass would pay. Nothing is taken before a press. */
export function FarePanel({ shown, fares, onClose, ...props }: FarePanelProps) {
  const { card, problem } = shown;
  if (problem !== null || fares === null) {
    const texts =
      problem === null
        ? { reason: t('You may not take trip cards'), todo: t('Send them to the ticket booth.') }
        : describeProblem(problem);
    return <Stopped {...texts} onClose={onClose} />;
  }
  if (card === null) {
    return (
      <Panel tone="neutral" title={t('Trip card')} onClose={onClose}>
        <Spinner size="large" label={t('Reading the trip card…')} />
      </Panel>
    );
  }
  return <Fare shown={shown} card={card} fares={fares} onClose={onClose} {...props} />;
}

type FareProps = Omit<FarePanelProps, 'fares'> & { card: FareCard; fares: GateFares };

function Fare({ shown, card, fares, boat, device, deviceName, charge, onTaken, onClose }: FareProps) {
  const [sailingId, setSailingId] = useState(boat.sailings[0].id);
  const own = fares.sailings.find((each) => each.sailing_id === sailingId);
  const [party, setParty] = useState<FareParty>(() => startParty(own));
  const [isChanging, setIsChanging] = useState(boat.sailings.length > 1);
  const sailing = boat.sailings.find(({ id }) => id === sailingId) ?? boat.sailings[0];
  const decision = decideFare({
    card,
    party,
    sailing,
    fares: own,
    left: shown.left,
    now: serverNow(),
  });
  const format = (amount: number) => formatOnCard(amount, { unit: card.unit, currency: fares.currency });
  const action = useAction(
    (amount: number) =>
      charge({ ...shown, card }, { sailingId, passengers: party, amount, device: deviceName }),
    {
      onDone: ({ order_id: orderId, ticket_ids: tickets, balance }, amount) => {
        const event = device.record({ type: 'board', sailing_id: sailingId, tickets });
        onTaken({ ...describeTaken(amount, balance), orderId }, event);
      },
    },
  );

  function describeTaken(amount: number, balance: number) {
    const travelers = describeTravelers(party, own);
    return { card, travelers, amount: format(amount), balance: format(balance) };
  }

  function takeOffline(amount: number) {
    const target = { sailing_id: sailingId, code: shown.text, passengers: party, amount };
    const event = device.record({ type: 'fare', ...target });
    addOfflineFare({ event: event.id, card: card.id, amount, at: serverNow() });
    onTaken({ ...describeTaken(amount, card.balance - amount), orderId: null }, event);
  }

  function leave() {
    if (!action.isPending) onClose();
  }

  const isOffline = shown.left !== null;
  const stop = decision.answer === 'stop' ? describeFareStop(decision.reason) : null;
  useSignal(stop !== null);
  const price = decision.amount === null ? null : format(decision.amount);
  return (
    <Panel
      tone={stop ? 'stop' : 'neutral'}
      title={stop ? t('Stop') : (price ?? '')}
      onClose={leave}
      actions={
        <>
          {isChanging && (
            <Travelers
              {...{ boat, fares, party, sailingId }}
              travelers={own?.travelers ?? []}
              onSailing={setSailingId}
              onChange={setParty}
            />
          )}
          {action.problem !== null && (
            <div className={styles.sheet}>
              <Problem text={action.problem} />
            </div>
          )}
          {decision.answer === 'take' && (
            <Button
              size="large"
              block
              needsConnection={!isOffline}
              isPending={action.isPending}
              onClick={() => (isOffline ? takeOffline : action.run)(decision.amount)}
            >
              {t('Take {price}: let aboard', { price: price ?? '' })}
            </Button>
          )}
          {!isChanging && (
            <Button variant="secondary" block onClick={() => setIsChanging(true)}>
              {t('Change who travels')}
            </Button>
          )}
          <Button variant="secondary" block aria-disabled={action.isPending} onClick={leave}>
            {t('Take nothing')}
          </Button>
        </>
      }
    >
      {stop && <p className={styles.reason}>{stop.reason}</p>}
      <p className={styles.titles}>{describeTravelers(party, own)}</p>
      <p className={styles.fact}>{nameCard(card)}</p>
      {!card.is_blocked && (
        <p className={styles.fact}>{t('{balance} on it', { balance: format(card.balance) })}</p>
      )}
      {isOffline && <p className={styles.todo}>{t('Without a connection: as the code says.')}</p>}
      {shown.isMaybeTaken && (
        <p className={styles.todo}>
          {t('A fare of this card just got no answer and may be taken. For the same people, take nothing.')}
        </p>
      )}
      {stop && price !== null && <p className={styles.todo}>{t('They pay {price}.', { price })}</p>}
      {stop && <p className={styles.todo}>{stop.todo}</p>}
    </Panel>
  );
}

type TravelersProps = {
  boat: Boat;
  fares: GateFares;
  party: FareParty;
  sailingId: string;
  travelers: SailingFares['travelers'];
  onSailing: (id: string) => void;
  onChange: (party: FareParty) => void;
};

function Travelers({ boat, fares, party, sailingId, travelers, onSailing, onChange }: TravelersProps) {
  const countOf = (type: string) => party.find((each) => each.type === type)?.count ?? 0;
  return (
    <div className={styles.sheet}>
      <Stack>
        {boat.sailings.length > 1 && (
          <Select
            label={t('To')}
            options={boat.sailings.map(({ id, destination }) => ({ value: id, label: destination }))}
            value={sailingId}
            onChange={(event) => onSailing(event.target.value)}
          />
        )}
        {travelers.map(({ type, name }) => (
          <Counter
            key={type}
            label={name}
            value={countOf(type)}
            max={fares.max_party}
            onChange={(count) =>
              onChange(
                travelers.flatMap((each) => {
                  const next = each.type === type ? count : countOf(each.type);
                  return next > 0 ? [{ type: each.type, count: next }] : [];
                }),
              )
            }
          />
        ))}
      </Stack>
    </div>
  );
}

function Stopped({ reason, todo, onClose }: { reason: string; todo: string; onClose: () => void }) {
  useSignal(true);
  return (
    <Panel
      tone="stop"
      title={t('Stop')}
      onClose={onClose}
      actions={
        <Button size="large" block onClick={onClose}>
          {t('Next')}
        </Button>
      }
    >
      <p className={styles.reason}>{reason}</p>
      <p className={styles.todo}>{todo}</p>
    </Panel>
  );
}

type PanelProps = {
  tone: 'neutral' | 'stop';
  title: string;
  children: ReactNode;
  actions?: ReactNode;
  onClose: () => void;
};

function Panel({ tone, title, children, actions, onClose }: PanelProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const word = useRef<HTMLHeadingElement>(null);
  useModalDialog(dialog, onClose, 0);
  // Off the buttons, which the Enter of a scanner would press.
  useEffect(() => word.current?.focus(), []);
  return (
    <dialog ref={dialog} className={styles.panel} data-answer={tone} aria-labelledby="fare-title">
      <div className={styles.content} role="alert">
        <Icon name={tone === 'stop' ? 'close' : 'info'} className={styles.icon} />
        <h2 ref={word} id="fare-title" className={styles.word} tabIndex={-1}>
          {title}
        </h2>
        {children}
      </div>
      <div className={styles.actions}>{actions}</div>
    </dialog>
  );
}

function useSignal(isStop: boolean): void {
  useEffect(() => giveSignal(isStop ? 'stop' : 'look'), [isStop]);
}

/** One traveler of the usual type. */
function startParty(fares: SailingFares | undefined): FareParty {
  const usual = fares?.travelers[0];
  return usual ? [{ type: usual.type, count: 1 }] : [];
}
