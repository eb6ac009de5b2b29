import { setTimeout as delay } from 'node:timers/promises';
import { LIVE_TOPICS, type LiveTopic } from '#contract/desk/live/topics.ts';
import { hasPermission } from '#contract/staff/permissions.ts';
import type { Context } from '#server/context.ts';
import { describeError } from '#server/core/log.ts';
import type { StaffSession } from '#server/http/api.ts';
import { ApiError } from '#server/http/api-error.ts';
import { findActiveRoles } from '#server/staff/sessions.ts';
import { readBoatVersions, readWorkVersion } from './read-versions.ts';

/** How often the database is asked what has changed, while someone listens. */
const LOOK_EVERY_MS = 1_000;
/** A look may take this part of the time. On a slow database they become rarer. */
const LOOK_SHARE = 0.1;
const CHECK_SESSIONS_EVERY_MS = 5_000;
/** Proxies close connections that are silent for a minute or two. */
const HEARTBEAT_EVERY_MS = 15_000;
/** When browsers connect again after a loss. */
const RETRY_MS = 3_000;
/** A session has one for each visible window. */
const MAX_PER_SESSION = 8;
const MAX_STREAMS = 1_000;
/** Events. */
const MAX_UNREAD = 100;

type Dependencies = Pick<Context, 'db' | 'clock' | 'log'>;

/** What a stream tells about. `boats`: a calendar day. */
export type FollowedTopics = { boats: string | null; work: boolean };

type Versions = { [Topic in LiveTopic]: string };

type Stream = FollowedTopics & {
  sessionId: string;
  /** The versions that the browser knows; null before the first look. */
  seen: Versions | null;
  /** Null once it has ended. */
  controller: ReadableStreamDefaultController<Uint8Array> | null;
};

export type LiveStreams = {
  /**
   * The events of one browser window, until its session ends, it disconnects or the server stops.
   * @param lastEventId of a browser that connects again
   * @throws {ApiError} `server_busy` if there are too many
   */
  open(session: StaffSession, topics: FollowedTopics, lastEventId: string | null): ReadableStream<Uint8Array>;
};

/** @param stopping ends all streams, so that a server that stops does not wait for them */
export function createLiveStreams(context: Dependencies, stopping?: AbortSignal): LiveStreams {
  const streams = new Set<Stream>();
  let isLooking = false;
  stopping?.addEventListener('abort', () => {
    for (const stream of streams) end(stream);
  });

  function end(stream: Stream): void {
    streams.delete(stream);
    stream.controller?.close();
    stream.controller = null;
  }

  async function look(): Promise<void> {
    const followed = [...streams];
    const days = new Set(followed.flatMap(({ boats }) => boats ?? []));
    const boats = days.size === 0 ? new Map<string, string>() : await readBoatVersions(context.db, days);
    const work = followed.some((stream) => stream.work) ? await readWorkVersion(context) : '';
    for (const stream of followed) {
      tell(stream, { boats: boats.get(stream.boats ?? '') ?? '', work: stream.work ? work : '' });
    }
  }

  async function endWithoutSession(): Promise<void> {
    const roles = await findActiveRoles(
      context,
      [...streams].map(({ sessionId }) => sessionId),
    );
    for (const stream of streams) {
      const role = roles.get(stream.sessionId);
      if (role === undefined || !hasPermission(role, 'see_orders')) end(stream);
    }
  }

  async function lookWhileFollowed(): Promise<void> {
    let checkedAt = performance.now();
    let toldAt = performance.now();
    while (streams.size > 0) {
      const start = performance.now();
      try {
        if (start - checkedAt >= CHECK_SESSIONS_EVERY_MS) {
          checkedAt = start;
          await endWithoutSession();
        }
        await look();
      } catch (error) {
        context.log.warn('live streams could not look', describeError(error));
      }
      if (start - toldAt >= HEARTBEAT_EVERY_MS) {
        toldAt = start;
        for (const stream of streams) {
          if (isStuck(stream)) end(stream);
          else send(stream, ':\n\n');
        }
      }
      const took = performance.now() - start;
      await delay(Math.max(LOOK_EVERY_MS, took / LOOK_SHARE), undefined, { ref: false });
    }
    isLooking = false;
  }

  return {
    open({ staffSessionId: sessionId }, topics, lastEventId) {
      const own = [...streams].filter((each) => each.sessionId === sessionId).length;
      if (stopping?.aborted || streams.size >= MAX_STREAMS || own >= MAX_PER_SESSION) {
        throw new ApiError('server_busy', { retryAfter: 30 });
      }
      const stream: Stream = { ...topics, sessionId, seen: parseEventId(lastEventId), controller: null };
      return new ReadableStream({
        start(controller) {
          stream.controller = controller;
          streams.add(stream);
          send(stream, `retry: ${RETRY_MS}\n\n`);
          if (isLooking) return;
          isLooking = true;
          void lookWhileFollowed();
        },
        cancel() {
          stream.controller = null;
          streams.delete(stream);
        },
      });
    },
  };
}

const encoder = new TextEncoder();

function send({ controller }: Stream, text: string): void {
  controller?.enqueue(encoder.encode(text));
}

/** Whether its browser does not read any more. */
function isStuck({ controller }: Stream): boolean {
  return (controller?.desiredSize ?? 0) < -MAX_UNREAD;
}

/** An event for each topic that has changed. The first look only says where the stream begins. */
function tell(stream: Stream, current: Versions): void {
  const { seen } = stream;
  stream.seen = current;
  const id = LIVE_TOPICS.map((topic) => current[topic]).join('.');
  if (seen === null) send(stream, `id: ${id}\n\n`);
  for (const topic of LIVE_TOPICS) {
    if (seen !== null && seen[topic] !== current[topic]) send(stream, `id: ${id}\ndata: ${topic}\n\n`);
  }
}

function parseEventId(id: string | null): Versions | null {
  const match = /^([\w-]{0,16})\.([\w-]{0,16})$/.exec(id ?? '');
  return match ? { boats: match[1] ?? '', work: match[2] ?? '' } : null;
}
