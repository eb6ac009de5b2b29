import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';
import { scoreGuesses } from '#domain/password-rule.ts';
import { serveRequests } from '../core/thread.ts';

export type StrengthInput = { password: string; words: readonly string[] };

/** Ticket purchases have priority over password checks. */
const LOW_PRIORITY = 10;

const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });

serveRequests(LOW_PRIORITY, ({ password, words }: StrengthInput) =>
  scoreGuesses(estimator.check(password, [...words]).guesses),
);
