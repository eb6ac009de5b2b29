import { allowOnly, readFlag, readGroup, readMetadata, readText } from '../parameters.ts';
import type { Stored } from '../records.ts';
import type { UnitOfWork } from '../unit-of-work.ts';
import { ok, type Route, requireFromPath } from './call.ts';
import { listObjects, listParameters } from './lists.ts';

export const disputeRoutes: Route[] = [
  {
    method: 'GET',
    path: '/v1/disputes',
    known: [...listParameters, 'charge', 'payment_intent'],
    run(call) {
      const equals = {
        charge: readText(call.parameters, 'charge'),
        payment_intent: readText(call.parameters, 'payment_intent'),
      };
      return listObjects(call, 'dispute', { equals }, '/v1/disputes');
    },
  },
  {
    method: 'GET',
    path: '/v1/disputes/:id',
    known: [],
    run: async (call) => ok((await requireFromPath(call, 'dispute')).doc),
  },
  {
    method: 'POST',
    path: '/v1/disputes/:id',
    known: ['evidence', 'metadata', 'submit'],
    async run(call) {
      const dispute = await requireFromPath(call, 'dispute');
      const evidence = readGroup(call.parameters, 'evidence');
      allowOnly(evidence, ['uncategorized_text']);
      const text = readText(evidence, 'uncategorized_text', 20_000);
      if (text !== null) {
        dispute.doc.evidence.uncategorized_text = text;
        dispute.doc.evidence_details.has_evidence = true;
      }
      dispute.doc.metadata = readMetadata(call.parameters, dispute.doc.metadata);
      call.unit.save(dispute);
      if (readFlag(call.parameters, 'submit') !== false && text !== null) decide(call.unit, dispute, text);
      else call.unit.emit('charge.dispute.updated', dispute.doc);
      return ok(dispute.doc);
    },
  },
  {
    method: 'POST',
    path: '/v1/disputes/:id/close',
    known: [],
    async run(call) {
      const dispute = await requireFromPath(call, 'dispute');
      close(call.unit, dispute, 'lost');
      return ok(dispute.doc);
    },
  },
];

/** The provider's test mode uses these two values. */
const verdicts: Record<string, 'won' | 'lost'> = { winning_evidence: 'won', losing_evidence: 'lost' };

function decide(unit: UnitOfWork, dispute: Stored<'dispute'>, evidence: string): void {
  dispute.doc.evidence_details.submission_count += 1;
  const verdict = verdicts[evidence];
  if (verdict) {
    close(unit, dispute, verdict);
    return;
  }
  dispute.doc.status = 'under_review';
  unit.emit('charge.dispute.updated', dispute.doc);
}

function close(unit: UnitOfWork, dispute: Stored<'dispute'>, status: 'won' | 'lost'): void {
  dispute.doc.status = status;
  unit.save(dispute);
  unit.emit('charge.dispute.closed', dispute.doc);
}
