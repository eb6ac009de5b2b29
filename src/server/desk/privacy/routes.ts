import * as endpoints from '#contract/desk/privacy/endpoints.ts';
import type { PrivacyRecord, staffPrivacyCalls } from '#contract/desk/privacy/schemas.ts';
import { presentReason } from '#sentences/errors/error-reasons.ts';
import { recordView } from '#server/audit/record-view.ts';
import type { Context } from '#server/context.ts';
import { textsIn } from '#server/core/texts.ts';
import type { HttpContext, StaffSession } from '#server/http/api.ts';
import { readClient } from '#server/http/client.ts';
import { type Handlers, Reply } from '#server/http/handle-calls.ts';
import { requestLanguage } from '#server/http/request-language.ts';
import { wakeMailWorker } from '#server/mail/outbox.ts';
import { erasePerson, exportPerson, findPerson } from '#server/privacy/answer-request.ts';
import { listPrivacyRecords } from '#server/privacy/privacy-log.ts';
import { describeStaffActor } from '#server/staff/actor.ts';
import { withStaffStepUp } from '#server/staff/step-up.ts';
import { listCustomerViews } from './list-views.ts';

/** Handlers for answering persons who ask what is stored about them, or want it erased. */
export function createStaffPrivacyHandlers(context: Context): Handlers<typeof staffPrivacyCalls> {
  const describe = (session: StaffSession, c: HttpContext) => describeStaffActor(session, readClient(c));
  return {
    findStoredPerson: async ({ query: { email }, session }, c) => {
      const { customerId, blockers, ...counts } = await findPerson(context, email);
      const viewed =
        customerId === null
          ? ({ objectKind: 'call', objectId: endpoints.findStoredPerson.path } as const)
          : ({ objectKind: 'customer', objectId: customerId } as const);
      await recordView(context, { actor: describe(session, c), action: 'personal_data_viewed', ...viewed });
      const t = textsIn(requestLanguage(c));
      return {
        ...{ customer_id: customerId, ...counts },
        blockers: blockers.map((blocker) => presentReason(t, blocker).message),
      };
    },

    exportStoredPerson: withStaffStepUp(context, async ({ body, session }, c) => {
      const data = await exportPerson(context, { ...body, actor: describe(session, c) });
      wakeMailWorker(context.jobs);
      return data;
    }),

    eraseStoredPerson: withStaffStepUp(context, async ({ body, session }, c) => {
      const { orders, hadAccount, providerCustomer } = await erasePerson(context, {
        ...body,
        actor: describe(session, c),
      });
      if (providerCustomer !== null) {
        await context.jobs.send('delete-card-holder', { customer: providerCustomer });
      }
      wakeMailWorker(context.jobs);
      return { orders, had_account: hadAccount };
    }),

    getPrivacyOverview: async () => {
      const records = await listPrivacyRecords(context.db);
      const { keepDays } = context.config;
      return {
        records: records.map(presentRecord),
        keep: {
          ...{ orders_days: keepDays.orders, mails_days: keepDays.mails },
          ...{ security_events_days: keepDays.securityEvents, records_days: keepDays.privacyLog },
          passenger_lists_hours: keepDays.passengerListHours,
        },
      };
    },

    listCustomerViews: async ({ params, list }) => {
      const { entries, meta } = await listCustomerViews(context.db, { customerId: params.id, list });
      return new Reply(entries, { meta });
    },
  };
}

type StoredRecord = Awaited<ReturnType<typeof listPrivacyRecords>>[number];

function presentRecord({ id, kind, actor, by, orders, insertedAt }: StoredRecord): PrivacyRecord {
  const isOther = actor === 'customer' || actor === 'server';
  return {
    ...{ id, kind, orders, at: insertedAt.toISOString() },
    ...(isOther ? { actor, by: null } : { actor: 'operator', by: by ?? actor }),
  };
}
