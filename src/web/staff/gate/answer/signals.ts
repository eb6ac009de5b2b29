import { createStore } from '#web/platform/create-store.ts';

export type Signal = 'go' | 'look' | 'stop';

/** Tones in hertz, each for the given milliseconds; and how the phone vibrates. */
const SIGNALS: Record<
  Signal,
  { tones: readonly [hertz: number, milliseconds: number][]; vibration: number[] }
> = {
  go: {
    tones: [
      [880, 90],
      [1320, 140],
    ],
    vibration: [70],
  },
  look: {
    tones: [
      [740, 120],
      [740, 120],
      [990, 160],
    ],
    vibration: [70, 70, 70, 70, 70],
  },
  stop: {
    tones: [
      [220, 450],
      [180, 350],
    ],
    vibration: [500],
  },
};
const VOLUME = 0.25;

const audio = createStore<AudioContext | null>(null);

/** Browsers allow sound only after a press or a key. */
export function allowSound(): void {
  const context = audio.get();
  if (context !== null) void context.resume().catch(() => undefined);
  else if (typeof AudioContext !== 'undefined') audio.set(new AudioContext());
}

export function giveSignal(signal: Signal): void {
  const { tones, vibration } = SIGNALS[signal];
  const { vibrate, userActivation } = navigator as Partial<Navigator>;
  // Missing in some browsers; others complain before the first press.
  if (userActivation?.hasBeenActive !== false) vibrate?.call(navigator, vibration);
  const context = audio.get();
  if (context?.state !== 'running') return;
  let at = context.currentTime;
  for (const [hertz, milliseconds] of tones) {
    const end = at + milliseconds / 1000;
    const oscillator = new OscillatorNode(context, { type: 'square', frequency: hertz });
    const volume = new GainNode(context, { gain: VOLUME });
    oscillator.connect(volume).connect(context.destination);
    oscillator.start(at);
    oscillator.stop(end);
    at = end;
  }
}
