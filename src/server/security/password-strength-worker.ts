import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';
import { passwordScore } from '#domain/password-rule.ts';
import { answerQuestions } from '../thread.ts';

export type StrengthQuestion = { password: string; words: readonly string[] };

/** Ticket purchases have priority over password checks. */
const LOW_PRIORITY = 10;

const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });

answerQuestions(LOW_PRIORITY, ({ password, words }: StrengthQuestion) =>
  passwordScore(estimator.check(password, [...words]).guesses),
);
