import { updateProfile } from '#web/platform/account/profile.ts';
import { apiErrorOf, type OlderFailure } from '#web/platform/api/request.ts';
import type { ChangeCustomer } from '#web/platform/api/types.ts';

/** Changes only what is sent, and throws as newer calls do, so that a refusal can lead to a step-up. */
export async function changeProfile(change: ChangeCustomer): Promise<void> {
  const { error, fields } = await updateProfile(change);
  if (error !== null) throw apiErrorOf(fields as OlderFailure);
}
