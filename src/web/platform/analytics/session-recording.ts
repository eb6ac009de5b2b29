import { currentSettings } from '../settings/settings.ts';

const SCRIPT_VERSION = 6;

type Recorder = ((...command: unknown[]) => void) & { q?: unknown[][] };
type RecordedPage = Window & { hj?: Recorder; _hjSettings?: { hjid: number; hjsv: number } };

/** Starts the session recorder with an id made for this visit; loads nothing without a configured site. */
export function startRecording(): void {
  const page: RecordedPage = window;
  const siteId = Number(currentSettings().analytics.recorder_site_id ?? '');
  if (!Number.isInteger(siteId) || siteId <= 0 || page.hj !== undefined) return;
  const queue: unknown[][] = [];
  page.hj = Object.assign((...command: unknown[]) => void queue.push(command), { q: queue });
  page._hjSettings = { hjid: siteId, hjsv: SCRIPT_VERSION };
  page.hj('identify', crypto.randomUUID(), {});
  const script = document.createElement('script');
  script.async = true;
  script.src = `https://static.hotjar.com/c/hotjar-${siteId}.js?sv=${SCRIPT_VERSION}`;
  document.head.append(script);
}
