import { useEffect, useRef } from 'react';
import type { GateParty } from '#contract/gate/schemas.ts';
import type { GateList } from '#domain/boarding/gate-list.ts';
import { getPartyKey } from '#domain/boarding/gate-list.ts';
import { measureParty } from '#domain/boarding/party-progress.ts';
import { formatClockForReader } from '#web/features/site/reader-time.ts';
import { t } from '#web/language/texts.ts';
import { Icon, type IconName } from '#web/ui/icon.tsx';
import { useModalDialog } from '#web/ui/popup/use-modal-dialog.ts';
import { nameCard } from '../fares/fare-texts.ts';
import { AnswerActions, type AnswerActionsProps } from './answer-actions.tsx';
import styles from './answer-panel.module.css';
import { describeStop, describeTicketSailing, describeTitles, namesOtherSailing } from './answer-texts.ts';
import type { Answer, AnsweredFare, Answers } from './answers.ts';
import { LookList } from './look-list.tsx';

type AnswerPanelProps = {
  answer: Answer;
  answers: Answers;
  list: GateList;
} & Pick<AnswerActionsProps, 'signOverride' | 'chargesAs' | 'isOffline'>;

type Tone = 'go' | 'look' | 'stop' | 'neutral';

const ICONS: Record<Tone, IconName> = { go: 'check', look: 'eye', stop: 'close', neutral: 'info' };

/** Fills the screen, because staff read it at arm's length in the sun. The next scan takes its place. */
export function AnswerPanel({ answer, answers, list, ...rights }: AnswerPanelProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const word = useRef<HTMLHeadingElement>(null);
  useModalDialog(dialog, answers.dismiss, 0);
  // Off the buttons, which the Enter of a scanner would press.
  // biome-ignore lint/correctness/useExhaustiveDependencies: for every answer
  useEffect(() => word.current?.focus(), [answer.id]);
  const tone = findTone(answer);
  const { party } = answer.decision;
  const current = (party && list.parties.get(getPartyKey(party))) ?? party;
  return (
    <dialog ref={dialog} className={styles.panel} data-answer={tone} aria-labelledby="answer-title">
      {/* A new one each time, so that an equal answer is read out again. */}
      <div key={answer.id} className={styles.content} role="alert">
        <Icon name={ICONS[tone]} className={styles.icon} />
        <h2 ref={word} id="answer-title" className={styles.word} tabIndex={-1}>
          {describeTone(answer)}
        </h2>
        <Reason answer={answer} />
        {current && <PartyLines answer={answer} party={current} />}
      </div>
      <AnswerActions
        key={`${answer.id} actions`}
        answer={answer}
        answers={answers}
        party={current}
        {...rights}
      />
    </dialog>
  );
}

function findTone({ decision, step }: Answer): Tone {
  if (step === 'undone' || step === 'left') return 'neutral';
  if (step === 'overridden' || step === 'measured') return 'go';
  return decision.answer;
}

function describeTone(answer: Answer): string {
  if (answer.step === 'undone') return t('Taken back');
  if (answer.step === 'left') return t('Left the boat');
  switch (findTone(answer)) {
    case 'go':
      return t('Let aboard');
    case 'look':
      return t('Look first');
    default:
      return t('Stop');
  }
}

function Reason({ answer: { decision, step, tickets, fare } }: { answer: Answer }) {
  if (fare) return <FareLines fare={fare} />;
  if (step === 'undone') return <p className={styles.todo}>{t('They do not count as aboard.')}</p>;
  if (step === 'left') return <p className={styles.todo}>{t('They do not count as aboard any more.')}</p>;
  if (step === 'overridden') return <p className={styles.todo}>{t('Your reason is recorded.')}</p>;
  if (step === 'measured') {
    return <p className={styles.todo}>{t('The size is noted. The desk takes the difference.')}</p>;
  }
  if (decision.answer === 'stop') {
    const { reason, todo } = describeStop(decision.reason);
    const boarding = tickets.find((ticket) => ticket.boarding !== null)?.boarding;
    return (
      <>
        <p className={styles.reason}>{reason}</p>
        {namesOtherSailing(decision) && (
          <p className={styles.fact}>{describeTicketSailing(decision.sailing)}</p>
        )}
        {decision.reason === 'boarded_before' && boarding && (
          <p className={styles.fact}>
            {t('{time}, by {device}', { time: formatClockForReader(boarding.at), device: boarding.device })}
          </p>
        )}
        <p className={styles.todo}>{todo}</p>
      </>
    );
  }
  return (
    <>
      {decision.party === null && (
        <p className={styles.todo}>{t('A genuine ticket, sold after the list on this device was made.')}</p>
      )}
      <LookList decision={decision} tickets={tickets} />
    </>
  );
}

function FareLines({ fare: { card, travelers, amount, balance, orderId, refund } }: { fare: AnsweredFare }) {
  if (refund === null) {
    return (
      <>
        <p className={styles.titles}>{travelers}</p>
        <p className={styles.fact}>{t('{amount} taken', { amount })}</p>
        <p className={styles.todo}>{t('{card}: {balance} left', { card: nameCard(card), balance })}</p>
        {orderId === null && (
          <p className={styles.todo}>{t('The card is charged when this device has a connection.')}</p>
        )}
      </>
    );
  }
  return (
    <>
      <p className={styles.todo}>{t('They do not count as aboard.')}</p>
      <p className={styles.fact}>{describeRefund(refund, amount)}</p>
    </>
  );
}

function describeRefund(refund: 'pending' | 'done' | 'failed', amount: string): string {
  if (refund === 'pending') return t('Giving {amount} back…', { amount });
  return refund === 'done'
    ? t('{amount} given back', { amount })
    : t('{amount} is not given back yet. Try again when there is a connection.', { amount });
}

function PartyLines({ answer, party }: { answer: Answer; party: GateParty }) {
  const { decision, tickets, step } = answer;
  const isBoarding = decision.answer !== 'stop' || step === 'overridden';
  const isCounted = isBoarding && step !== 'undone' && step !== 'left';
  const { aboard, total } = measureParty(party);
  return (
    <div className={styles.party}>
      <p className={styles.titles}>{describeTitles(tickets)}</p>
      {isCounted && total > 1 && (
        <p className={styles.progress}>
          {aboard === total
            ? t('{total, plural, one {It is aboard} other {All # aboard}}', { total })
            : t('{aboard} of {total} aboard, {left, plural, one {one more} other {# more}}', {
                aboard,
                total,
                left: total - aboard,
              })}
        </p>
      )}
      <p>
        <span dir="auto">{party.contact_name}</span> <span translate="no">{party.reference}</span>
      </p>
    </div>
  );
}
