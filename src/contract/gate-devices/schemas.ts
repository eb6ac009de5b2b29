import * as z from 'zod/mini';
import { IdSchema, InstantSchema, plainText } from '#contract/common.ts';
import { describeCalls } from '#contract/endpoint.ts';
import { DEVICE_NAME_LENGTH } from '#contract/gate/limits.ts';
import { SecretSchema } from '../identity/sign-in/schemas.ts';
import { StaffSessionSchema } from '../staff/schemas.ts';
import * as endpoints from './endpoints.ts';

/** Six digits that a person types at a paired device instead of a password and a code. */
const PinSchema = z.string().check(z.regex(/^\d{6}$/));

/** `paired_at`: null while its code was not scanned yet. `staff`: who has a shift there, if any. */
const GateDeviceSchema = z.object({
  id: IdSchema,
  name: z.string(),
  added_at: InstantSchema,
  paired_at: z.nullable(InstantSchema),
  last_seen_at: z.nullable(InstantSchema),
  staff: z.nullable(z.string()),
});
export type GateDevice = z.infer<typeof GateDeviceSchema>;

/** `link`: for the QR code that the device scans, once, before `expires_at`. */
const AddedGateDeviceSchema = z.object({ id: IdSchema, link: z.string(), expires_at: InstantSchema });
export type AddedGateDevice = z.infer<typeof AddedGateDeviceSchema>;

const PairedGateDeviceSchema = z.object({
  name: z.string(),
  /** Who may start a shift here: those who check tickets and have a PIN. */
  staff: z.array(z.object({ id: IdSchema, name: z.string() })),
});
export type PairedGateDevice = z.infer<typeof PairedGateDeviceSchema>;

export const gateDeviceCalls = describeCalls(endpoints, {
  listGateDevices: { summary: 'List the paired devices of gates', response: z.array(GateDeviceSchema) },
  addGateDevice: {
    summary: 'Add a device of a gate, and get the link that pairs it',
    body: z.strictObject({ name: plainText(1, DEVICE_NAME_LENGTH) }),
    response: AddedGateDeviceSchema,
  },
  revokeGateDevice: {
    summary: 'Revoke a device: its shifts end, and it deletes its lists when it next has a connection',
    response: z.null(),
    errors: ['not_found'],
  },
  setShiftPin: {
    summary: 'Set the PIN with which the signed-in person starts shifts at paired devices',
    body: z.strictObject({ pin: PinSchema }),
    response: z.null(),
    errors: ['step_up_required', 'weak_pin'],
  },
  pairGateDevice: {
    summary: 'Pair the device that opened the link; its key is in a cookie',
    body: z.strictObject({ token: SecretSchema }),
    response: PairedGateDeviceSchema,
    errors: ['link_expired'],
  },
  getGateDevice: {
    summary: 'Get the paired device that asks; null on any other',
    response: z.nullable(PairedGateDeviceSchema),
  },
  startShift: {
    summary: 'Sign in for a shift at a paired device, with a PIN',
    body: z.strictObject({ staff_id: IdSchema, pin: PinSchema }),
    response: StaffSessionSchema,
    errors: ['wrong_pin', 'device_revoked', 'demo_closed', 'rate_limited'],
  },
});
