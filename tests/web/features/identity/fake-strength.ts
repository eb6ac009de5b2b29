import { vi } from 'vitest';
import type { StrengthInput } from '#web/features/identity/strength-worker.ts';

/**
 * Stubs strength workers that return `judge.scoreOf`. A page keeps its worker, so one stub serves a whole test file.
 */
export function stubStrengthWorker() {
  const judge = {
    started: 0,
    requests: [] as StrengthInput[],
    scoreOf: (_question: StrengthInput): number | 'fails' => 3,
  };
  class FakeWorker extends EventTarget {
    constructor() {
      super();
      judge.started += 1;
    }

    postMessage(question: StrengthInput) {
      judge.requests.push(question);
      const score = judge.scoreOf(question);
      const data = { id: question.id, score };
      const event = score === 'fails' ? new Event('error') : new MessageEvent('message', { data });
      queueMicrotask(() => this.dispatchEvent(event));
    }
  }
  vi.stubGlobal('Worker', FakeWorker);
  return judge;
}
