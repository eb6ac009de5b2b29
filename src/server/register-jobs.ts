import { registerBreakageJobs } from './accounting/book-breakage.ts';
import { registerAccountingJobs } from './accounting/book-order.ts';
import { registerAuditJobs } from './audit/anchors.ts';
import type { Context } from './context.ts';
import { deleteOldPasskeyChallenges } from './credentials/passkey-challenge.ts';
import { eraseQueueContacts } from './gate/queue/retention.ts';
import { deleteOldGateDevices } from './gate-devices/devices.ts';
import { deleteOldKeys } from './http/idempotency.ts';
import { deleteOldCounters } from './http/rate-limit.ts';
import { deleteOldLinks } from './identity/account-links.ts';
import { deleteOldSecurityEvents } from './identity/security/security-events.ts';
import { deleteOldSessions } from './identity/sessions.ts';
import { deleteOldSignInChallenges } from './identity/sign-in/sign-in-challenges.ts';
import { eraseSaleAddresses } from './invoices/retention.ts';
import { registerMailJobs } from './mail/mail-jobs.ts';
import type { Mailer } from './mail/mailer.ts';
import { deleteOldMails } from './mail/outbox.ts';
import { registerProblemReport } from './operations/report-problems.ts';
import { registerHoldJobs } from './orders/buy/expire-holds.ts';
import { registerChangeJobs } from './orders/change/end-unpaid-changes.ts';
import { registerPaymentJobs } from './orders/pay/payment-jobs.ts';
import { registerOfferJobs } from './orders/rebook/settle-offers.ts';
import { registerReceiptJobs } from './orders/receipts/issue-receipts.ts';
import { registerTicketJobs } from './orders/tickets/reissue-tickets.ts';
import { deleteOldShares } from './orders/tickets/shares.ts';
import { deleteOldReleases } from './pages/release-store.ts';
import { deleteOldTravelerDetails } from './passenger-lists/erase-details.ts';
import { registerPassJobs } from './passes/notify-ends.ts';
import { registerCardJobs } from './payment-cards/card-jobs.ts';
import { registerPayoutJobs } from './payments/payouts.ts';
import { deleteOldEvents } from './payments/webhooks.ts';
import { applyPrivacyRetention } from './privacy/privacy-log.ts';
import { registerPushJobs } from './push/push-jobs.ts';
import { deleteOldPushes } from './push/subscriptions.ts';
import { type RetentionRule, registerRetention } from './retention.ts';
import { registerRealtimeJobs } from './sailings/exceptions/poll-realtime.ts';
import { registerNoRoomJobs } from './sailings/exceptions/review-room.ts';
import { registerSailingsJobs } from './sailings/sailings-jobs.ts';
import { deleteOldSms } from './sms/queue-sms.ts';
import { registerSmsJobs } from './sms/sms-jobs.ts';
import type { SmsSender } from './sms/sms-port.ts';
import { deleteOldStaffSessions } from './staff/sessions.ts';
import { registerTripCardJobs } from './trip-cards/trip-card-jobs.ts';

/** The retention rule of each feature. */
export const retentionRules: readonly RetentionRule[] = [
  deleteOldCounters,
  deleteOldKeys,
  deleteOldEvents,
  deleteOldSessions,
  deleteOldStaffSessions,
  deleteOldGateDevices,
  eraseQueueContacts,
  deleteOldLinks,
  deleteOldSignInChallenges,
  deleteOldPasskeyChallenges,
  deleteOldMails,
  deleteOldSecurityEvents,
  deleteOldReleases,
  deleteOldShares,
  deleteOldPushes,
  deleteOldSms,
  deleteOldTravelerDetails,
  eraseSaleAddresses,
  applyPrivacyRetention,
];

/** Gives every name of background work its worker and its hours. */
export async function registerJobs(
  context: Context,
  { mailer, smsSender }: { mailer: Mailer; smsSender: SmsSender | null },
): Promise<void> {
  await registerMailJobs(context, mailer);
  await registerPushJobs(context);
  await registerSmsJobs(context, smsSender);
  await registerHoldJobs(context);
  await registerChangeJobs(context);
  await registerTicketJobs(context);
  await registerAccountingJobs(context);
  await registerBreakageJobs(context);
  await registerReceiptJobs(context);
  await registerPaymentJobs(context);
  await registerPayoutJobs(context);
  await registerCardJobs(context);
  await registerTripCardJobs(context);
  await registerPassJobs(context);
  await registerSailingsJobs(context);
  await registerRealtimeJobs(context);
  await registerNoRoomJobs(context);
  await registerOfferJobs(context);
  await registerProblemReport(context);
  await registerAuditJobs(context);
  await registerRetention(context, retentionRules);
}
