import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';
import { passwordScore } from '#domain/password-rule.ts';

export type StrengthQuestion = { id: number; password: string; words: readonly string[] };
export type StrengthAnswer = { id: number; score: number };

/** Where threads have a priority of their own: whoever buys a ticket comes before whoever chooses a password. */
const LOW_PRIORITY = 10;
if (process.platform === 'linux') setPriority(LOW_PRIORITY);

const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });

parentPort?.on('message', ({ id, password, words }: StrengthQuestion) => {
  const { guesses } = estimator.check(password, [...words]);
  parentPort?.postMessage({ id, score: passwordScore(guesses) } satisfies StrengthAnswer);
});
