import type { gateDeviceCalls } from '#contract/gate-devices/schemas.ts';
import { COOKIE_PREFIX } from '#messages/languages.ts';
import type { Context } from '#server/context.ts';
import type { HttpContext } from '#server/http/api.ts';
import { readClient, readOwnCookie, writeCookies } from '#server/http/client.ts';
import type { Handlers } from '#server/http/handle-calls.ts';
import { describeStaffActor } from '#server/staff/actor.ts';
import { createStaffCookie, presentStaffSession } from '#server/staff/sessions.ts';
import { withStaffStepUp } from '#server/staff/step-up.ts';
import {
  addGateDevice,
  DEVICE_KEY_SECONDS,
  findGateDevice,
  listGateDevices,
  pairGateDevice,
  revokeGateDevice,
} from './devices.ts';
import { describeGateDevice, setShiftPin, startShift } from './shifts.ts';

/** Has the key of a paired device. */
const COOKIE = `${COOKIE_PREFIX}gate-device`;

/** Handlers for the devices of gates, and the shifts at them. */
export function createGateDeviceHandlers(context: Context): Handlers<typeof gateDeviceCalls> {
  const { config, db } = context;
  const readKey = (c: HttpContext) => readOwnCookie(c, config, COOKIE);
  return {
    listGateDevices: () => listGateDevices(context),
    addGateDevice: withStaffStepUp(context, ({ body: { name }, session }, c: HttpContext) =>
      addGateDevice(context, { name, actor: describeStaffActor(session, readClient(c)) }),
    ),
    revokeGateDevice: ({ params: { id }, session }, c) =>
      revokeGateDevice(context, { id, actor: describeStaffActor(session, readClient(c)) }),
    setShiftPin: withStaffStepUp(context, ({ body: { pin }, session: { staffId } }, c: HttpContext) =>
      setShiftPin(context, { staffId, pin, client: readClient(c) }),
    ),
    pairGateDevice: async ({ body: { token } }, c) => {
      const { device, key } = await pairGateDevice(context, token);
      writeCookies(c, config, [{ name: COOKIE, value: key, maxAgeSeconds: DEVICE_KEY_SECONDS }], 'staff');
      return describeGateDevice(context, device);
    },
    getGateDevice: async (_, c) => {
      const device = await findGateDevice(db, readKey(c));
      return device && describeGateDevice(context, device);
    },
    startShift: async ({ body: { staff_id, pin } }, c) => {
      const client = readClient(c);
      const { token, session } = await startShift(context, {
        ...{ client, key: readKey(c), staffId: staff_id, pin },
      });
      writeCookies(c, config, [createStaffCookie(token)], 'staff');
      return presentStaffSession(session);
    },
  };
}
