import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';
import { scoreGuesses } from '#domain/password-rule.ts';

export type StrengthInput = { password: string; words: readonly string[] };

const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });

export function run({ password, words }: StrengthInput): number {
  return scoreGuesses(estimator.check(password, [...words]).guesses);
}
