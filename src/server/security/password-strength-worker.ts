import { parentPort } from 'node:worker_threads';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';
import { passwordScore } from '#domain/password-rule.ts';

export type StrengthQuestion = { id: number; password: string; words: readonly string[] };
export type StrengthAnswer = { id: number; score: number };

const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });

parentPort?.on('message', ({ id, password, words }: StrengthQuestion) => {
  const { guesses } = estimator.check(password, [...words]);
  parentPort?.postMessage({ id, score: passwordScore(guesses) } satisfies StrengthAnswer);
});
