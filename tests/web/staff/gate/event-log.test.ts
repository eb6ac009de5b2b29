import { expect, test } from 'vitest';
import type { GateEvent } from '#contract/gate/schemas.ts';
import { buildGatePack, newEventId } from '#tests/factories/gate.ts';
import { keepNeeded, type LoggedEvent, listUnsent } from '#web/staff/gate/device/event-log.ts';

const NOW = Date.parse('2026-06-02T15:40:00.000Z');
const pack = buildGatePack({ as_of: '2026-06-02T15:39:00.000Z' });

function log(type: 'board' | 'count', minute: number, changes: Partial<LoggedEvent> = {}): LoggedEvent {
  const common = {
    id: newEventId(),
    sailing_id: 'slg_1',
    device: 'Ramp 1',
    occurred_at: `2026-06-02T15:${minute}:00.000Z`,
  };
  const more = type === 'board' ? { tickets: [] } : { people: 1 };
  const acceptedAt = `2026-06-02T15:${minute}:01.000Z`;
  return { event: { ...common, type, ...more } as GateEvent, acceptedAt, isRefused: false, ...changes };
}

test('unsent are those that the server neither has nor refused', () => {
  const unsent = log('board', 38, { acceptedAt: null });
  const refused = log('board', 38, { acceptedAt: null, isRefused: true });
  expect(listUnsent([log('board', 38), unsent, refused])).toEqual([unsent.event]);
});

test('a list that is older than an event keeps the event', () => {
  const later = log('count', 39, { acceptedAt: '2026-06-02T15:39:30.000Z' });
  const unsent = log('board', 10, { acceptedAt: null });
  expect(keepNeeded([later, unsent], pack, NOW)).toEqual([later, unsent]);
});

test('counted people are dropped as soon as the list contains them, others when they cannot be undone any more', () => {
  const recent = log('board', 38);
  expect(keepNeeded([recent, log('board', 34), log('count', 38)], pack, NOW)).toEqual([recent]);
});
