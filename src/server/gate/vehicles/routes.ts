import type { gateVehicleCalls } from '#contract/gate/vehicles/schemas.ts';
import type { Context } from '#server/context.ts';
import { readClient } from '#server/http/client.ts';
import type { Handlers } from '#server/http/handle-calls.ts';
import { describeStaffActor } from '#server/staff/actor.ts';
import { settleMeasurement } from './late-measurements.ts';
import { priceMeasurement } from './price-measurement.ts';
import { recordMeasurement } from './record-measurement.ts';

/** Handlers for vehicles that gates measure. */
export function createGateVehicleHandlers(context: Context): Handlers<typeof gateVehicleCalls> {
  return {
    quoteVehicle: async ({ params, body }) => {
      const { booked, isLarger, difference, order } = await priceMeasurement(context.db, {
        ...{ ticketId: params.id, measured: body },
      });
      return {
        ...{ booked_length_cm: booked.length, booked_height_cm: booked.height },
        ...{ is_larger: isLarger, difference, currency: order.currency },
      };
    },
    recordVehicle: ({ params, body, session: { staffId, role } }, c) => {
      const { device, ...input } = body;
      const { network } = readClient(c);
      return recordMeasurement(context, {
        ...{ ticketId: params.id, input, cashier: { kind: 'staff', staffId, role, device, network } },
      });
    },
    settleMeasurement: async ({ params: { id }, body: { payment }, session }, c) => {
      await settleMeasurement(context, {
        ...{ id, payment, cashier: describeStaffActor(session, readClient(c)) },
      });
      return { measurement_id: id };
    },
  };
}
