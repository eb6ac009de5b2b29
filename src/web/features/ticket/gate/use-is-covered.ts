import { useIsPainted } from '#web/platform/use-painted.ts';
import { useGateView } from './use-gate-view.ts';

/** True until the codes that a screen opens with are painted. What they cover renders afterwards. */
export function useIsCovered(): boolean {
  const { shown } = useGateView();
  return !useIsPainted() && shown !== null;
}
