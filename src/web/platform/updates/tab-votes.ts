import { TAB_CHANNEL, type TabMessage } from '#contract/worker-messages.ts';

export type TabChannel = Pick<BroadcastChannel, 'postMessage' | 'addEventListener'>;

const VOTE_WITHIN = 500;

/** Null without BroadcastChannel: each tab then decides alone. */
export function openTabChannel(): TabChannel | null {
  return 'BroadcastChannel' in window ? new BroadcastChannel(TAB_CHANNEL) : null;
}

/** Answers other tabs whether this one may be reloaded. `onOtherIdle` runs when another tab becomes idle. */
export function answerVotes(
  channel: TabChannel,
  busyReason: () => string | null,
  onOtherIdle: () => void,
): void {
  channel.addEventListener('message', ({ data }) => {
    const message = data as TabMessage;
    if (message?.type === 'IDLE') onOtherIdle();
    if (message?.type !== 'UPDATE_VOTE') return;
    const reason = busyReason();
    const vote = { type: 'VOTE', id: message.id, busy: reason !== null } as const;
    channel.postMessage((reason === null ? vote : { ...vote, reason }) satisfies TabMessage);
  });
}

export function announceIdle(channel: TabChannel | null): void {
  channel?.postMessage({ type: 'IDLE' } satisfies TabMessage);
}

/** True if no tab objects in time. Tabs that do not answer are frozen and have nothing to lose. */
export function askTabs(channel: TabChannel | null, target: string): Promise<boolean> {
  if (channel === null) return Promise.resolve(true);
  const id = crypto.randomUUID();
  return new Promise((resolve) => {
    const over = new AbortController();
    const decide = (areFree: boolean) => {
      over.abort();
      clearTimeout(timer);
      resolve(areFree);
    };
    const timer = setTimeout(() => decide(true), VOTE_WITHIN);
    channel.addEventListener(
      'message',
      ({ data }) => {
        const message = data as TabMessage;
        if (message?.type === 'VOTE' && message.id === id && message.busy) decide(false);
      },
      { signal: over.signal },
    );
    channel.postMessage({ type: 'UPDATE_VOTE', target, id } satisfies TabMessage);
  });
}
