import type { PasswordContext } from '#domain/password-rule.ts';
import { savesData } from '#web/platform/saves-data.ts';
import { trustedScript } from '#web/platform/trusted-types.ts';
import type { StrengthAnswer, StrengthInput } from './strength-worker.ts';
import workerAddress from './strength-worker.ts?worker&url';

const pending = new Map<number, (score: number | null) => void>();
let worker: Worker | null = null;
let lastId = 0;

/**
 * Estimates from 0 to 4; null if only the server can. The first call loads 200 KB, so it does not in browsers that
 * save data.
 */
export function estimateStrength(password: string, context: PasswordContext): Promise<number | null> {
  if (savesData()) return Promise.resolve(null);
  lastId += 1;
  const input: StrengthInput = { id: lastId, password, context };
  return new Promise((resolve) => {
    try {
      worker ??= startWorker();
      pending.set(input.id, resolve);
      worker.postMessage(input);
    } catch {
      resolve(null);
    }
  });
}

function startWorker(): Worker {
  const started = new Worker(trustedScript(workerAddress), { type: 'module' });
  started.addEventListener('message', ({ data }: MessageEvent<StrengthAnswer>) => {
    pending.get(data.id)?.(data.score);
    pending.delete(data.id);
  });
  started.addEventListener('error', () => {
    worker = null;
    for (const resolve of pending.values()) resolve(null);
    pending.clear();
  });
  return started;
}
