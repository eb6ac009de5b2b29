import * as endpoints from '#contract/invoices/endpoints.ts';
import type { invoiceCalls } from '#contract/invoices/schemas.ts';
import type { StaffActor } from '#server/audit/record-audit.ts';
import { recordView } from '#server/audit/record-view.ts';
import type { Context } from '#server/context.ts';
import type { HttpContext, StaffSession } from '#server/http/api.ts';
import { notFound } from '#server/http/api-error.ts';
import { readClient } from '#server/http/client.ts';
import type { Handlers } from '#server/http/handle-calls.ts';
import { describeStaffActor } from '#server/staff/actor.ts';
import { mailInvoiceAgain } from './mail-again.ts';
import { listInvoices, readInvoice } from './read-invoices.ts';
import { noteTransfer, takeBackTransfer } from './transfers.ts';

/** Handlers for invoices that are paid later by bank transfer. Answers name recipients, so the log has who read them. */
export function createInvoiceHandlers(context: Context): Handlers<typeof invoiceCalls> {
  const describe = (session: StaffSession, c: HttpContext) => describeStaffActor(session, readClient(c));
  const recordLook = (actor: StaffActor) =>
    recordView(context, {
      ...{ actor, action: 'invoices_viewed', objectKind: 'call', objectId: endpoints.listInvoices.path },
    });
  const view = async (id: string, actor: StaffActor) => {
    await recordLook(actor);
    return readInvoice(context, id);
  };
  return {
    listInvoices: async ({ query: { state, q = '' }, session }, c) => {
      await recordLook(describe(session, c));
      return listInvoices(context, { state, search: q });
    },

    noteTransfer: async ({ params: { id }, body, session }, c) => {
      const actor = describe(session, c);
      const { language } = readClient(c);
      await noteTransfer(context, { invoiceId: id, transfer: body, actor, language });
      return view(id, actor);
    },

    takeBackTransfer: async ({ params: { id, seq }, session }, c) => {
      if (!/^\d{1,15}$/.test(seq)) throw notFound();
      const actor = describe(session, c);
      await takeBackTransfer(context, { invoiceId: id, seq: Number(seq), actor });
      return view(id, actor);
    },

    mailInvoice: async ({ params: { id }, body: { kind }, session }, c) => {
      const actor = describe(session, c);
      await mailInvoiceAgain(context, { invoiceId: id, kind, actor });
      return view(id, actor);
    },
  };
}
