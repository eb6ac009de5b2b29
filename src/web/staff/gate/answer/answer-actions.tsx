import { type FormEvent, useState } from 'react';
import { REASON_LENGTH } from '#contract/gate/limits.ts';
import type { GateParty } from '#contract/gate/schemas.ts';
import { t } from '#web/language/texts.ts';
import { Button } from '#web/ui/form/button.tsx';
import { TextField } from '#web/ui/form/field.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { TicketChoice } from '../ticket-choice.tsx';
import styles from './answer-panel.module.css';
import { type Answer, type Answers, UNDO_MS } from './answers.ts';
import { MeasureForm } from './measure-form.tsx';
import type { SignOverride } from './override-key.ts';
import { useUntil } from './use-until.ts';

export type AnswerActionsProps = {
  answer: Answer;
  answers: Answers;
  /** As it is now; null: the list does not have it. */
  party: GateParty | null;
  /** Null: they may not let anyone aboard whom the gate stops. */
  signOverride: SignOverride | null;
  /** The name under which the device may charge vehicles; null: it may not. */
  chargesAs: string | null;
  isOffline: boolean;
};

/** What staff can do about an answer, in reach of the thumb. */
export function AnswerActions(props: AnswerActionsProps) {
  const { answer, answers, party, signOverride, chargesAs, isOffline } = props;
  const [open, setOpen] = useState<'choice' | 'reason' | 'measure' | null>(null);
  const isNew = useUntil(answer.at + UNDO_MS);
  const { decision, tickets, event, step } = answer;
  const isBoard = event?.type === 'board' || event?.type === 'fare';
  const mayUndo = event !== null && isNew;
  const aboard = party?.tickets.filter(
    ({ id, boarding }) => boarding !== null && tickets.some((ticket) => ticket.id === id),
  );
  if (open === 'choice') {
    return (
      <div className={styles.sheet}>
        <TicketChoice tickets={tickets} onChoose={answers.boardOnly} />
        <Button variant="secondary" block onClick={() => setOpen(null)}>
          {t('Back')}
        </Button>
      </div>
    );
  }
  const vehicle = tickets.find(({ kind }) => kind === 'vehicle');
  if (open === 'measure' && vehicle && chargesAs !== null) {
    return (
      <MeasureForm
        ticketId={vehicle.id}
        device={chargesAs}
        isOffline={isOffline}
        onNoted={({ lengthCm, heightCm, vehicleType }) =>
          answers.measure(vehicle.id, {
            ...{ length_cm: lengthCm, height_cm: heightCm, vehicle_type: vehicleType },
          })
        }
        onRefused={answers.undo}
        onClose={() => setOpen(null)}
      />
    );
  }
  if (open === 'reason' && signOverride) {
    return (
      <ReasonForm
        onDone={(reason) => void answers.override(reason, signOverride)}
        onCancel={() => setOpen(null)}
      />
    );
  }
  return (
    <div className={styles.actions}>
      {decision.answer === 'stop' && step === 'decided' && decision.event !== null && signOverride && (
        <Button variant="secondary" block onClick={() => setOpen('reason')}>
          {t('Let aboard with a reason')}
        </Button>
      )}
      {isBoard && mayUndo && vehicle && chargesAs !== null && (
        <Button variant="secondary" block onClick={() => setOpen('measure')}>
          {t('Measure the vehicle')}
        </Button>
      )}
      {isBoard && mayUndo && tickets.length > 1 && step === 'decided' && decision.answer !== 'stop' && (
        <Button variant="secondary" block onClick={() => setOpen('choice')}>
          {t('Only some of them')}
        </Button>
      )}
      {mayUndo && (
        <Button variant="secondary" block onClick={answers.undo}>
          {isBoard ? t('Undo: not aboard') : t('Undo: still aboard')}
        </Button>
      )}
      {!mayUndo && party && aboard && aboard.length > 0 && (
        <Button variant="secondary" block onClick={() => answers.leave(party, aboard)}>
          {t('Leaves the boat')}
        </Button>
      )}
      {answer.fare?.refund === 'failed' && (
        <Button variant="secondary" block onClick={() => void answers.giveBack()}>
          {t('Give it back')}
        </Button>
      )}
      <Button size="large" block onClick={answers.dismiss}>
        {t('Next')}
      </Button>
    </div>
  );
}

function ReasonForm({ onDone, onCancel }: { onDone: (reason: string) => void; onCancel: () => void }) {
  const [reason, setReason] = useState('');
  const [isTried, setIsTried] = useState(false);

  function handleSubmit(event: FormEvent) {
    event.preventDefault();
    setIsTried(true);
    if (reason.trim() !== '') onDone(reason.trim());
  }

  return (
    <form noValidate className={styles.sheet} onSubmit={handleSubmit}>
      <Stack>
        <TextField
          label={t('Why do you let them aboard?')}
          value={reason}
          maxLength={REASON_LENGTH}
          autoComplete="off"
          error={isTried && reason.trim() === '' ? t('Enter the reason. It is recorded.') : undefined}
          onChange={(event) => setReason(event.target.value)}
        />
        <Button type="submit" size="large" block>
          {t('Let aboard')}
        </Button>
        <Button variant="secondary" block onClick={onCancel}>
          {t('Back')}
        </Button>
      </Stack>
    </form>
  );
}
