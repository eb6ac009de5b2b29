import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';
import {
  getEstimatedPart,
  listGuessableWords,
  type PasswordContext,
  scoreGuesses,
} from '#domain/password-rule.ts';

export type StrengthInput = { id: number; password: string; context: PasswordContext };
export type StrengthAnswer = { id: number; score: number };

/* In a worker, because loading and searching the word lists blocks a phone noticeably. The server uses the same. */
const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });

self.addEventListener('message', ({ data }: MessageEvent<StrengthInput>) => {
  const { id, password, context } = data;
  const { guesses } = estimator.check(getEstimatedPart(password), listGuessableWords(context));
  self.postMessage({ id, score: scoreGuesses(guesses) } satisfies StrengthAnswer);
});
