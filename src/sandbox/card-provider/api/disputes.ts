import { allowOnly, readFlag, readGroup, readMetadata, readText } from '../parameters.ts';
import type { Dispute } from '../records.ts';
import type { UnitOfWork } from '../unit-of-work.ts';
import { returnDisputed } from './balance.ts';
import { changeRoute, type Route, retrieveRoute } from './call.ts';
import { listRoute } from './lists.ts';

export const disputeRoutes: Route[] = [
  listRoute('dispute', ['charge', 'payment_intent']),
  retrieveRoute('dispute'),
  changeRoute('dispute', '', ['evidence', 'metadata', 'submit'], (call, { doc }) => {
    const evidence = readGroup(call.parameters, 'evidence');
    allowOnly(evidence, ['uncategorized_text']);
    const text = readText(evidence, 'uncategorized_text', 20_000);
    if (text !== null) {
      doc.evidence.uncategorized_text = text;
      doc.evidence_details.has_evidence = true;
    }
    doc.metadata = readMetadata(call.parameters, doc.metadata);
    if (readFlag(call.parameters, 'submit') !== false && text !== null) decide(call.unit, doc, text);
    else call.unit.emit('charge.dispute.updated', doc);
  }),
  changeRoute('dispute', '/close', [], (call, { doc }) => close(call.unit, doc, 'lost')),
];

/** The provider's test mode uses these two values. */
const verdicts: Record<string, 'won' | 'lost'> = { winning_evidence: 'won', losing_evidence: 'lost' };

function decide(unit: UnitOfWork, dispute: Dispute, evidence: string): void {
  dispute.evidence_details.submission_count += 1;
  const verdict = verdicts[evidence];
  if (verdict) {
    close(unit, dispute, verdict);
    return;
  }
  dispute.status = 'under_review';
  unit.emit('charge.dispute.updated', dispute);
}

function close(unit: UnitOfWork, dispute: Dispute, status: 'won' | 'lost'): void {
  dispute.status = status;
  if (status === 'won') returnDisputed(unit, dispute);
  unit.emit('charge.dispute.closed', dispute);
}
