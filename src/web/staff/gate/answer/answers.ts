import { undoFare } from '#contract/gate/fares/endpoints.ts';
import type { FareCard } from '#contract/gate/fares/schemas.ts';
import type { GateEvent, GateParty, GateSailing, GateTicket } from '#contract/gate/schemas.ts';
import { type Decision, decideBoarding, decideTickets } from '#domain/boarding/decide-boarding.ts';
import type { MeasuredSize } from '#domain/boarding/measure-vehicle.ts';
import { ApiError } from '#web/platform/api/api-error.ts';
import { request } from '#web/platform/api/request.ts';
import { createStore, type ReadableStore } from '#web/platform/create-store.ts';
import { serverNow } from '#web/platform/server-clock.ts';
import { readScannedText } from '../device/check-signature.ts';
import type { GateDevice } from '../device/gate-device.ts';
import { removeOfflineFare } from '../fares/offline-fares.ts';
import type { SignOverride } from './override-key.ts';
import { giveSignal } from './signals.ts';

/** What the gate says about a scan, a typed code or a party that was chosen from a search. */
export type Answer = {
  /** Differs for every answer, also for an equal one. */
  id: number;
  /** What was scanned or typed; null: the party was chosen from a search. */
  text: string | null;
  decision: Decision;
  /** The tickets that the answer's event is about. */
  tickets: readonly GateTicket[];
  /** What the device stored; null: nothing. */
  event: GateEvent | null;
  /** The fare that a trip card or pass paid; null: they have tickets. */
  fare: AnsweredFare | null;
  /** What staff did since. */
  step: 'decided' | 'chosen' | 'overridden' | 'measured' | 'undone' | 'left';
  /** In milliseconds since 1970, by the server's clock. */
  at: number;
};

/** A fare that was taken, in words. `balance`: what is left on the card. */
export type AnsweredFare = {
  card: FareCard;
  travelers: string;
  amount: string;
  balance: string;
  /** Null: it was taken without a connection, and the card is charged later. */
  orderId: string | null;
  /** Whether an undone fare is given back; null: it was not undone. */
  refund: 'pending' | 'done' | 'failed' | null;
};

export type AnswersState = {
  /** What fills the screen; null: nothing. */
  shown: Answer | null;
  /** The newest first. */
  history: readonly Answer[];
};

type ScanSource = 'camera' | 'hand';

export type Answers = {
  state: ReadableStore<AnswersState>;
  /** Answers a code that was read by a hand scanner or typed. */
  take(text: string): Promise<void>;
  /** Takes what a picture of the camera shows. A code is answered once until it has left the picture; null: no code. */
  see(text: string | null): Promise<void>;
  /** Lets tickets aboard that were found by a search. */
  board(party: GateParty, tickets: readonly GateTicket[]): void;
  /** Lets only some of the tickets of the shown answer aboard. */
  boardOnly(tickets: readonly GateTicket[]): void;
  /** @param sign proves who does it */
  override(reason: string, sign: SignOverride): Promise<void>;
  /** Notes the size of a vehicle of the shown answer, which stays aboard. */
  measure(ticketId: string, size: MeasuredSize): void;
  undo(): void;
  /** Shows that people went aboard whose fare a trip card or pass pays. */
  admit(fare: Omit<AnsweredFare, 'refund'>, event: GateEvent): void;
  /** Tries again to give back the fare of the shown answer, which was undone. */
  giveBack(): Promise<void>;
  leave(party: GateParty, tickets: readonly GateTicket[]): void;
  show(answer: Answer): void;
  dismiss(): void;
};

/** A code that is read again while its answer is shown is the same reading for this long. In milliseconds. */
const SAME_READING_MS = 3000;
/** A code that this many pictures in a row do not show has left the camera. It takes a phone about two seconds. */
const PICTURES_UNTIL_GONE = 20;
/** For this long an answer's event can be taken back. In milliseconds. */
export const UNDO_MS = 60_000;
const HISTORY_LENGTH = 20;

/**
 * Answers scans at a gate, and stores who was let aboard.
 * @param takeCard takes the text of a trip card or pass; returns whether it is one
 */
export function openAnswers(
  device: GateDevice,
  getSailing: () => GateSailing | null,
  takeCard: (text: string) => boolean,
): Answers {
  const state = createStore<AnswersState>({ shown: null, history: [] });
  /** What was read last, until it is dismissed. */
  let last: { text: string; at: number; source: ScanSource } | null = null;
  /** Codes before the camera, with the pictures since one showed them: hand scanners read others meanwhile. */
  const inView = new Map<string, number>();
  let count = 0;

  function show(answer: Omit<Answer, 'id' | 'at' | 'fare'> & Partial<Answer>, at = serverNow()): void {
    count += 1;
    if (answer.text === null || answer.step === 'undone') last = null;
    const shown = { fare: null, ...answer, id: count, at };
    state.set(({ history, shown: before }) => ({
      shown,
      // What was done about an answer takes its place.
      history: [shown, ...history.filter((each) => answer.step === 'decided' || each !== before)].slice(
        0,
        HISTORY_LENGTH,
      ),
    }));
  }

  function answerWith(decision: Decision, sailing: GateSailing, text: string | null): void {
    const { answer, tickets, event: target } = decision;
    giveSignal(answer);
    const event =
      answer === 'stop' || target === null
        ? null
        : device.record({ type: 'board', sailing_id: sailing.id, ...target });
    show({ text, decision, tickets, event, step: 'decided' });
  }

  async function read(text: string, source: ScanSource): Promise<void> {
    const sailing = getSailing();
    const { pack } = device.state.get();
    if (sailing === null || pack === null) return;
    const now = Date.now();
    const isRecent = last?.text === text && now - last.at < SAME_READING_MS;
    // Between two readings of the camera the code was away: it may be on the phone of the next person.
    const isSame = isRecent && !(source === 'camera' && last?.source === 'camera');
    last = { text, at: now, source };
    if (isSame) return;
    if (takeCard(text)) return dismiss();
    const scan = await readScannedText(text, pack.keys);
    answerWith(decideBoarding(scan, { sailing, now: serverNow() }, device.getList()), sailing, text);
  }

  async function see(text: string | null): Promise<void> {
    for (const [code, pictures] of inView) {
      if (pictures < PICTURES_UNTIL_GONE) inView.set(code, pictures + 1);
      else inView.delete(code);
    }
    if (text === null) return;
    const isNew = !inView.has(text);
    inView.set(text, 0);
    if (isNew) await read(text, 'camera');
  }

  function undo(): void {
    const { shown } = state.get();
    if (!shown?.event) return;
    device.record({ type: 'undo', sailing_id: shown.event.sailing_id, event_id: shown.event.id });
    show({ ...shown, event: null, step: 'undone' });
    if (shown.event.type === 'fare') removeOfflineFare(shown.event.id, serverNow());
    if (shown.fare) void giveBack();
  }

  /** The server has to know first that the tickets are not aboard. */
  async function giveBack(): Promise<void> {
    const { shown } = state.get();
    if (!shown?.fare) return;
    const { id, fare } = shown;
    const change = (refund: AnsweredFare['refund']) =>
      state.set((before) => {
        const changed = (each: Answer) => (each.id === id ? { ...each, fare: { ...fare, refund } } : each);
        return { shown: before.shown && changed(before.shown), history: before.history.map(changed) };
      });
    if (fare.orderId === null) return change('done');
    change('pending');
    try {
      const isSent = await device.sync();
      if (isSent) await request(undoFare, { params: { id: fare.orderId } });
      change(isSent ? 'done' : 'failed');
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      change('failed');
    }
  }

  function dismiss(): void {
    last = null;
    state.set((before) => ({ ...before, shown: null }));
  }

  return {
    state,
    take: (text) => read(text, 'hand'),
    see,
    board(party, tickets) {
      const sailing = getSailing();
      if (sailing === null) return;
      const decision = decideTickets(tickets, party, { sailing, now: serverNow() }, device.getList());
      answerWith(decision, sailing, null);
    },
    boardOnly(tickets) {
      const { shown } = state.get();
      if (!shown?.event) return;
      const { sailing_id, id } = shown.event;
      device.record({ type: 'undo', sailing_id, event_id: id });
      const event = device.record({ type: 'board', sailing_id, tickets: tickets.map((each) => each.id) });
      show({ ...shown, tickets, event, step: 'chosen' });
    },
    async override(reason, sign) {
      const { shown } = state.get();
      const sailing = getSailing();
      if (!shown?.decision.event || sailing === null) return;
      const { event: target } = shown.decision;
      giveSignal('go');
      const event = await device.recordSigned(
        { type: 'board', sailing_id: sailing.id, ...target, override: reason },
        sign,
      );
      show({ ...shown, event, step: 'overridden' });
    },
    measure(ticketId, size) {
      const { shown } = state.get();
      if (!shown?.event) return;
      device.record({ type: 'measure', sailing_id: shown.event.sailing_id, ticket_id: ticketId, ...size });
      show({ ...shown, step: 'measured' });
    },
    undo,
    giveBack,
    admit(fare, event) {
      giveSignal('go');
      const sailing = device.getList().sailings.get(event.sailing_id) ?? null;
      const decision: Decision = {
        answer: 'go',
        looks: [],
        tickets: [],
        party: null,
        sailing,
        event: { tickets: [] },
      };
      show({ text: null, decision, tickets: [], event, step: 'decided', fare: { ...fare, refund: null } });
    },
    leave(party, tickets) {
      const sailing = getSailing();
      if (sailing === null) return;
      const event = device.record({
        type: 'leave',
        sailing_id: sailing.id,
        tickets: tickets.map(({ id }) => id),
      });
      const decision: Decision = {
        answer: 'go',
        looks: [],
        tickets,
        party,
        sailing,
        event: { tickets: tickets.map(({ id }) => id) },
      };
      show({ text: null, decision, tickets, event, step: 'left' });
    },
    show: (answer) => state.set((before) => ({ ...before, shown: answer })),
    dismiss,
  };
}
