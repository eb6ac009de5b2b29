import { STATUS } from '#contract/client-errors.ts';
import { getGatePack, sendGateEvents } from '#contract/gate/endpoints.ts';
import { GATE_EVENTS_LIMIT } from '#contract/gate/limits.ts';
import type { GateEvent, GatePack, GateParty, GateSailing } from '#contract/gate/schemas.ts';
import { encodeId } from '#domain/base32.ts';
import { createGateList, type GateList, indexTickets, type PackIndex } from '#domain/boarding/gate-list.ts';
import { listTags, mergePack } from '#domain/boarding/merge-pack.ts';
import { ApiError } from '#web/platform/api/api-error.ts';
import { Verbatim } from '#web/platform/api/case-conversion.ts';
import { requestVerbatim } from '#web/platform/api/request.ts';
import { apiAvailable, keepWorking } from '#web/platform/connection/connection.ts';
import { createStore, type ReadableStore } from '#web/platform/create-store.ts';
import { serverNow } from '#web/platform/server-clock.ts';
import { keepNeeded, type LoggedEvent, listUnsent } from './event-log.ts';
import { openSavedGate, PACK_LIFETIME_MS, type SavedGate } from './saved-gate.ts';

export type GateState = {
  /** True until the device's own data is read. */
  isRestoring: boolean;
  /** Null until the list was loaded, and once it is too old to be read. */
  pack: GatePack | null;
  log: readonly LoggedEvent[];
  isOffline: boolean;
  /** Why the server gives no list: the role may not scan, or the port does not exist. */
  refusal: 'not_permitted' | 'unknown_port' | null;
};

/** An event without what the device adds. */
export type NewEvent = GateEvent extends infer Event
  ? Event extends GateEvent
    ? Omit<Event, 'id' | 'device' | 'occurred_at' | 'staff_id' | 'proof'>
    : never
  : never;

export type GateDevice = {
  state: ReadableStore<GateState>;
  /** The list with what this device has done since. */
  getList(): GateList;
  /** Stores an event, and sends it as soon as there is a connection. */
  record(event: NewEvent): GateEvent;
  /** The same for an event that needs a proof of who made it. */
  recordSigned(event: NewEvent, sign: (event: GateEvent) => Promise<GateEvent>): Promise<GateEvent>;
  /** Sends all events and loads the list. Returns whether the server has all events. */
  sync(): Promise<boolean>;
  /** Takes over what the server answered about sailings. */
  putSailings(sailings: readonly GateSailing[]): void;
  stop(): void;
};

export type GateDeviceOptions = {
  port: string;
  /** As people call it: "Ramp 1". */
  name: string;
  /** Who works at it. Asked for each event, because it may be sent when another person is signed in. */
  getStaffId(): string | null;
  /** Called when the server says that the session has ended. */
  onSignedOut: () => void;
  saved?: SavedGate;
};

const NO_PACK: Pick<GatePack, 'sailings' | 'parties'> = { sailings: [], parties: [] };
/** How often the list is loaded while the page is visible. */
const PACK_INTERVAL_MS = 30_000;
/** How often unsent events are tried again. */
const RETRY_INTERVAL_MS = 5000;
/** A slower answer counts as none, and so do two failures. */
const SLOW_MS = 1500;
const FAILURES = 2;

/**
 * A gate's device. It decides from its own list, whether there is a connection or not; the server learns what happened
 * afterwards.
 */
export function openGateDevice({
  port,
  name,
  getStaffId,
  onSignedOut,
  saved = openSavedGate(),
}: GateDeviceOptions): GateDevice {
  const state = createStore<GateState>({
    isRestoring: true,
    pack: null,
    log: [],
    isOffline: !apiAvailable.get(),
    refusal: null,
  });
  const change = (part: Partial<GateState>) => state.set((before) => ({ ...before, ...part }));
  let list: { of: GateState; value: GateList } | null = null;
  let index: { of: readonly GateParty[]; value: PackIndex } | null = null;
  let isStopped = false;
  let failures = 0;
  let running: Promise<boolean> | null = null;
  let loadedAt = 0;

  function getList(): GateList {
    const now = state.get();
    const isSame = list?.of.pack === now.pack && list.of.log === now.log;
    if (list === null || !isSame) {
      const pack = now.pack ?? NO_PACK;
      if (index?.of !== pack.parties) index = { of: pack.parties, value: indexTickets(pack.parties) };
      const events = now.log.map(({ event }) => event);
      list = { of: now, value: createGateList(pack, events, index.value) };
    }
    return list.value;
  }

  async function restore(): Promise<void> {
    const { pack, log } = await saved.read();
    const isOfPort = pack?.port.code === port;
    state.set((before) => ({
      ...before,
      isRestoring: false,
      pack: isOfPort ? pack : null,
      log: [...log, ...before.log],
    }));
  }

  /** Makes a call, and learns from it whether there is a connection. */
  async function attempt<Result>(call: () => Promise<Result>): Promise<Result> {
    const slow = setTimeout(() => change({ isOffline: true }), SLOW_MS);
    try {
      const result = await call();
      failures = 0;
      change({ isOffline: false });
      return result;
    } catch (error) {
      const isAnswer = error instanceof ApiError && error.status !== STATUS.network;
      failures = isAnswer ? 0 : failures + 1;
      change({ isOffline: failures >= FAILURES || !apiAvailable.get() });
      throw error;
    } finally {
      clearTimeout(slow);
    }
  }

  async function sendBatch(events: readonly GateEvent[]): Promise<void> {
    const answer = await attempt(() =>
      requestVerbatim(sendGateEvents, { body: { events: new Verbatim(events) } }),
    );
    settle(events, { acceptedAt: answer.as_of, isRefused: false });
  }

  function settle(events: readonly GateEvent[], outcome: Omit<LoggedEvent, 'event'>): void {
    const ids = new Set(events.map(({ id }) => id));
    const log = state.get().log.map((each) => (ids.has(each.event.id) ? { ...each, ...outcome } : each));
    change({ log });
    for (const logged of log)
      if (ids.has(logged.event.id)) void saved.saveEvent(logged).catch(() => undefined);
  }

  /** If the server refuses a batch, its events are sent one by one, so that one of them does not hold up the others. */
  async function sendEvents(): Promise<void> {
    for (let unsent = listUnsent(state.get().log); unsent.length > 0; unsent = listUnsent(state.get().log)) {
      const batch = unsent.slice(0, GATE_EVENTS_LIMIT);
      try {
        await sendBatch(batch);
      } catch (error) {
        if (!isRefusal(error)) throw error;
        for (const event of batch) {
          await sendBatch([event]).catch((reason: unknown) => {
            if (!isRefusal(reason)) throw reason;
            settle([event], { acceptedAt: null, isRefused: true });
          });
        }
      }
    }
  }

  /** Only what has changed since this page last loaded it; an older page may have stored it in another form. */
  async function loadPack(): Promise<void> {
    const before = loadedAt > 0 ? state.get().pack : null;
    const query = { has: before ? listTags(before) : '' };
    const answer = await attempt(() => requestVerbatim(getGatePack, { params: { code: port }, query }));
    const pack = mergePack(before, answer);
    loadedAt = Date.now();
    const { log } = state.get();
    const kept = keepNeeded(log, pack, serverNow());
    change({ pack, log: kept, refusal: null });
    const needed = new Set(kept);
    const dropped = log.filter((logged) => !needed.has(logged)).map(({ event }) => event.id);
    const mayWrite = () => !isStopped && state.get().pack !== null;
    if (isStopped) return;
    await Promise.allSettled([saved.savePack(pack, mayWrite), saved.removeEvents(dropped)]);
  }

  const isPackDue = () => Date.now() - loadedAt >= PACK_INTERVAL_MS;

  /**
   * The list is loaded after all events are sent, so that none counts twice: if it is asked for, and when it is due, also
   * while scans are sent without a pause.
   */
  async function run(isPackAsked: boolean): Promise<boolean> {
    await restored;
    try {
      await sendEvents();
      if (isPackAsked || isPackDue()) await loadPack();
      return true;
    } catch (error) {
      if (error instanceof ApiError && error.status === STATUS.unauthorized) {
        change({ pack: null });
        onSignedOut();
      }
      change({ refusal: findRefusal(error) });
      return false;
    }
  }

  function start(isPackAsked: boolean): Promise<boolean> {
    const after = running ?? Promise.resolve(true);
    const own = after
      .then(() => run(isPackAsked))
      .finally(() => {
        if (running === own) running = null;
      });
    running = own;
    return own;
  }

  function tick(): void {
    const { pack, log } = state.get();
    if (pack !== null && serverNow() - Date.parse(pack.as_of) > PACK_LIFETIME_MS) {
      change({ pack: null });
      void saved.removePack().catch(() => undefined);
    }
    if (document.visibilityState === 'hidden' || running !== null) return;
    if (isPackDue() || listUnsent(log).length > 0) void start(false);
  }

  function complete(event: NewEvent): GateEvent {
    const staffId = getStaffId();
    return {
      ...event,
      ...(staffId === null ? {} : { staff_id: staffId }),
      id: `gev_${encodeId(crypto.getRandomValues(new Uint8Array(16)))}`,
      device: name,
      occurred_at: new Date(serverNow()).toISOString(),
    } as GateEvent;
  }

  function store(event: GateEvent): GateEvent {
    const logged = { event, acceptedAt: null, isRefused: false };
    change({ log: [...state.get().log, logged] });
    void saved
      .saveEvent(logged)
      .catch(() => undefined)
      .then(() => start(false));
    return event;
  }

  const restored = restore();
  const stopFollowing = apiAvailable.subscribe(() => {
    if (!apiAvailable.get()) return change({ isOffline: true });
    // The screen says itself how old its list is, and needs no reload.
    keepWorking();
    void start(true);
  });
  document.addEventListener('visibilitychange', tick);
  const timer = setInterval(tick, RETRY_INTERVAL_MS);
  void start(true);

  return {
    state,
    getList,
    record: (event) => store(complete(event)),
    recordSigned: async (event, sign) => store(await sign(complete(event))),
    sync: () => start(true),
    putSailings(sailings) {
      const { pack } = state.get();
      if (pack === null) return;
      const fresh = new Map(sailings.map((sailing) => [sailing.id, sailing]));
      change({ pack: { ...pack, sailings: pack.sailings.map((each) => fresh.get(each.id) ?? each) } });
    },
    stop() {
      isStopped = true;
      stopFollowing();
      document.removeEventListener('visibilitychange', tick);
      clearInterval(timer);
    },
  };
}

/** The server has understood the events and does not take them. */
function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && [400, 403, 404, 422].includes(error.status);
}

function findRefusal(error: unknown): GateState['refusal'] {
  if (!(error instanceof ApiError)) return null;
  if (error.status === 403) return 'not_permitted';
  return error.status === 404 ? 'unknown_port' : null;
}
