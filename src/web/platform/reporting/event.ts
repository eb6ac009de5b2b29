import type { defaultStackParser } from '@sentry/react';
import type { Report } from './reporting.ts';
import { scrub, scrubAddress } from './scrub.ts';

export type ErrorEvent = ReturnType<typeof buildEvent>;

/** What leaves the device of a report: nothing but this, and none of it with a person in it. */
export function buildEvent(report: Report, parseStack: typeof defaultStackParser, known: readonly string[]) {
  const clean = (text: string) => scrub(text, known);
  return {
    level: report.level,
    environment: report.environment,
    timestamp: Date.parse(report.timestamp) / 1000,
    request: { url: scrubAddress(report.url, known) },
    exception: {
      values: [
        {
          type: clean(report.name),
          value: clean(report.message),
          stacktrace: { frames: parseStack(clean(report.stack)) },
          mechanism: { type: 'generic', handled: true },
        },
      ],
    },
  };
}

/**
 * What this page knows of the person at it: everything typed into it, and whose account it shows. Words too short
 * to name anybody stay, or no report could be read.
 */
export function privateValues(page: ParentNode, profile: readonly string[]): string[] {
  const fields = [...page.querySelectorAll<HTMLInputElement>('input, textarea, select')];
  const typed = fields.filter(({ type }) => !NOT_TYPED.test(type)).map(({ value }) => value);
  const whole = [...typed, ...profile].map((text) => text.trim());
  const parts = whole.flatMap((text) => text.split(/\s+/));
  const found = new Set([...whole, ...parts].filter((text) => text.length >= SHORTEST));
  // The longest first: a name goes whole before its parts do.
  return [...found].sort((a, b) => b.length - a.length);
}

const NOT_TYPED = /^(checkbox|radio|button|submit|reset|hidden|range|select-one|select-multiple)$/;
const SHORTEST = 3;
