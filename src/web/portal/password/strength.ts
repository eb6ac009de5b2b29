import type { PasswordContext } from '#domain/password-rule.ts';
import { trustedScript } from '#web/platform/trusted-types.ts';
import type { StrengthAnswer, StrengthInput } from './strength-worker.ts';
import workerAddress from './strength-worker.ts?worker&url';

type Asker = (score: number | null) => void;

const waiting = new Map<number, Asker>();
let worker: Worker | null = null;
let asked = 0;

/**
 * From 0 to 4; null when it cannot be told here, and the server alone judges. Loads what it needs when first asked,
 * a fifth of a megabyte: not for who asked their browser to save data.
 */
export function estimateStrength(password: string, context: PasswordContext): Promise<number | null> {
  if (savesData()) return Promise.resolve(null);
  asked += 1;
  const question: StrengthInput = { id: asked, password, context };
  return new Promise((resolve) => {
    try {
      worker ??= startWorker();
      waiting.set(question.id, resolve);
      worker.postMessage(question);
    } catch {
      resolve(null);
    }
  });
}

function startWorker(): Worker {
  const started = new Worker(trustedScript(workerAddress), { type: 'module' });
  started.addEventListener('message', ({ data }: MessageEvent<StrengthAnswer>) => {
    waiting.get(data.id)?.(data.score);
    waiting.delete(data.id);
  });
  started.addEventListener('error', () => {
    worker = null;
    for (const answer of waiting.values()) answer(null);
    waiting.clear();
  });
  return started;
}

function savesData(): boolean {
  // Not in every browser.
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}
