import type { defaultStackParser } from '@sentry/react';
import { scrub, scrubAddress } from '#domain/error-reports/scrub.ts';
import type { Report } from './reporting.ts';

/** The event that is sent for a report. It contains nothing else, and no personal data. */
export function buildEvent(report: Report, parseStack: typeof defaultStackParser, known: readonly string[]) {
  const clean = (text: string) => scrub(text, known);
  const { requestId } = report;
  return {
    level: report.level,
    environment: report.environment,
    timestamp: Date.parse(report.timestamp) / 1000,
    ...(requestId && REQUEST_ID.test(requestId) ? { tags: { request_id: requestId } } : {}),
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

/** As our server writes it; an intermediate may have replaced it by another text. */
const REQUEST_ID = /^[0-9a-f-]{36}$/;

/**
 * The personal data that this page knows: typed text and the account's texts. Very short words stay, or reports would
 * be unreadable.
 */
export function privateValues(page: ParentNode, profile: readonly string[]): string[] {
  const fields = [...page.querySelectorAll<HTMLInputElement>('input, textarea, select')];
  const typed = fields.filter(({ type }) => !NOT_TYPED.test(type)).map(({ value }) => value);
  const whole = [...typed, ...profile].map((text) => text.trim());
  const parts = whole.flatMap((text) => text.split(/\s+/));
  const found = new Set([...whole, ...parts].filter((text) => text.length >= SHORTEST));
  // The longest first, so that a full name is replaced before its parts.
  return [...found].sort((a, b) => b.length - a.length);
}

const NOT_TYPED = /^(checkbox|radio|button|submit|reset|hidden|range|select-one|select-multiple)$/;
const SHORTEST = 3;
