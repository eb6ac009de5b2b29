import { trustedScript } from '../trusted-types.ts';

const SCRIPT_VERSION = 6;

type Recorder = ((...command: unknown[]) => void) & { q?: unknown[][] };
type RecordedPage = Window & { hj?: Recorder; _hjSettings?: { hjid: number; hjsv: number } };

/** Starts the session recorder once, with a random id for this visit. It records positions of clicks and no text. */
export function startRecording(siteId: number): void {
  const page: RecordedPage = window;
  if (page.hj !== undefined) return;
  maskTexts();
  const queue: unknown[][] = [];
  page.hj = Object.assign((...command: unknown[]) => void queue.push(command), { q: queue });
  page._hjSettings = { hjid: siteId, hjsv: SCRIPT_VERSION };
  page.hj('identify', crypto.randomUUID(), {});
  const script = document.createElement('script');
  script.async = true;
  script.src = trustedScript(`https://static.hotjar.com/c/hotjar-${siteId}.js?sv=${SCRIPT_VERSION}`);
  document.head.append(script);
}

/** Masks the whole body, because dialogs and notifications are outside the screens. */
function maskTexts(): void {
  document.body.setAttribute('data-hj-suppress', '');
}
