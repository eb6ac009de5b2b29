import { useQuery } from '@tanstack/react-query';
import { getOverrideKey } from '#contract/gate/endpoints.ts';
import type { GateEvent, OverrideKey } from '#contract/gate/schemas.ts';
import { hasPermission, type StaffRole } from '#contract/staff/permissions.ts';
import { toBase32 } from '#domain/base32.ts';
import { describeOverride } from '#domain/boarding/override-text.ts';
import { requestVerbatim } from '#web/platform/api/request.ts';
import { serverNow } from '#web/platform/server-clock.ts';

export type SignOverride = (event: GateEvent) => Promise<GateEvent>;

/**
 * Proves overrides by the key of the session; null without the right or the key. The key is only in the memory of the page
 * and goes with the sign-out, so that the next person at this device cannot make the proof.
 * @param role null while the device cannot ask the server who is signed in
 */
export function useSignOverride(role: StaffRole | null): SignOverride | null {
  const { data } = useQuery({
    queryKey: ['override-key'] as const,
    queryFn: ({ signal }) => requestVerbatim(getOverrideKey, { signal }),
    enabled: role !== null && hasPermission(role, 'override_boarding'),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (!data || Date.parse(data.expires_at) <= serverNow()) return null;
  return (event) => signOverride(event, data);
}

/** @returns the event with its proof; other events are returned as they are */
export async function signOverride(
  event: GateEvent,
  { key_id, key }: Pick<OverrideKey, 'key_id' | 'key'>,
): Promise<GateEvent> {
  if (event.type !== 'board') return event;
  const encoder = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await crypto.subtle.importKey('raw', encoder.encode(key), algorithm, false, ['sign']);
  const mac = await crypto.subtle.sign('HMAC', imported, encoder.encode(describeOverride(event)));
  return { ...event, proof: { key_id, mac: toBase32(new Uint8Array(mac)) } };
}
