import { api } from '#contract/api.ts';
import type { GateEvent, GatePack } from '#contract/gate/schemas.ts';
import { fillPath } from '#contract/paths.ts';
import type { StaffRole } from '#contract/staff/permissions.ts';
import type { TestReply } from '#tests/setup/server.ts';
import { must, type Office } from './buyer.ts';
import { newEventId } from './gate.ts';
import { createStaffMember, startStaffSession } from './staff.ts';

/** The gate of North Quay, at a boat. `role`: of the staff member who stands there. */
export async function openGate(office: Office, sailingId: string, role: StaffRole = 'gate') {
  const { id } = await createStaffMember(office.context, role);
  const { headers } = await startStaffSession(office.context, id);
  const call = (method: string, path: string, body?: unknown) =>
    office.request(method, path, { body, headers });
  const common = (more: Partial<GateEvent>) => ({
    ...{ id: newEventId(), sailing_id: sailingId, device: 'Ramp 1' },
    occurred_at: office.clock.now().toISOString(),
    ...more,
  });
  return {
    staffId: id,
    call,
    /** `has`: the tags that the device has. */
    readPack: async (has = ''): Promise<GatePack> =>
      must(await call('GET', `${fillPath(api.getGatePack.path, { code: 'nor' })}?has=${has}`)),
    send: (...events: GateEvent[]): Promise<TestReply> => call('POST', api.sendGateEvents.path, { events }),
    change: (name: 'closeCheckIn' | 'reopenCheckIn' | 'departSailing', sailing = sailingId) =>
      call('POST', fillPath(api[name].path, { id: sailing })),
    board: (tickets: string[], more: Partial<GateEvent> = {}) =>
      ({ type: 'board', tickets, ...common(more) }) as GateEvent,
    leave: (tickets: string[]): GateEvent => ({ type: 'leave', tickets, ...common({}) }) as GateEvent,
    count: (people: number): GateEvent => ({ type: 'count', people, ...common({}) }) as GateEvent,
    undo: (event: GateEvent, more: Partial<GateEvent> = {}) =>
      ({ type: 'undo', event_id: event.id, ...common(more) }) as GateEvent,
  };
}
