import { useQuery } from '@tanstack/react-query';
import { getGateDevice } from '#contract/gate-devices/endpoints.ts';
import { request } from '#web/platform/api/request.ts';

/** The paired device that this browser is; null on any other. */
export function usePairedDevice() {
  return useQuery({
    queryKey: ['paired-device'],
    queryFn: ({ signal }) => request(getGateDevice, { signal }),
  });
}
