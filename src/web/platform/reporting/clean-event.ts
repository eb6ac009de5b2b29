import type { Breadcrumb, ErrorEvent, Exception, StackFrame } from '@sentry/react';
import { scrub, scrubAddress } from '#domain/error-reports/scrub.ts';
import type { Report } from './reporting.ts';

/** The library's event of a report, reduced to what a report may contain, and without personal data. */
export function cleanEvent(event: ErrorEvent, report: Report, personalData: readonly string[]): ErrorEvent {
  const { type, event_id, platform, environment, release, breadcrumbs, exception } = event;
  const { level, timestamp, url, requestId } = report;
  const cleaned: ErrorEvent = {
    type,
    level,
    timestamp: Date.parse(timestamp) / 1000,
    request: { url: scrubAddress(url, personalData) },
    exception: { values: (exception?.values ?? []).map((each) => cleanException(each, personalData)) },
  };
  Object.assign(cleaned, { event_id, platform, environment, release, breadcrumbs });
  if (requestId && REQUEST_ID.test(requestId)) cleaned.tags = { request_id: requestId };
  return cleaned;
}

/** As our server writes it; an intermediate may have replaced it by another text. */
const REQUEST_ID = /^[0-9a-f-]{36}$/;

function cleanException(
  { type, value, mechanism, stacktrace }: Exception,
  personalData: readonly string[],
): Exception {
  const frames = (stacktrace?.frames ?? []).map((frame) => cleanFrame(frame, personalData));
  const cleaned: Exception = {
    type: scrub(type ?? '', personalData),
    value: scrub(value ?? '', personalData),
    stacktrace: { frames },
  };
  return mechanism ? { ...cleaned, mechanism } : cleaned;
}

function cleanFrame(
  { filename, function: name, lineno, colno, in_app }: StackFrame,
  personalData: readonly string[],
) {
  const cleaned: StackFrame = {};
  if (filename !== undefined) cleaned.filename = scrubAddress(filename, personalData);
  if (name !== undefined) cleaned.function = scrub(name, personalData);
  return Object.assign(cleaned, { lineno, colno, in_app });
}

/** Keeps which pages and calls were visited, without bodies, queries and texts. */
export function cleanBreadcrumb(
  { category, type, level, timestamp, data }: Breadcrumb,
  personalData: readonly string[],
): Breadcrumb {
  const clean: Breadcrumb = { data: {} };
  Object.assign(clean, { category, type, level, timestamp });
  for (const [name, value] of Object.entries(data ?? {})) {
    if (name === 'method' || name === 'status_code') clean.data = { ...clean.data, [name]: value };
    else if (name === 'url' || name === 'from' || name === 'to') {
      clean.data = { ...clean.data, [name]: scrubAddress(String(value), personalData) };
    }
  }
  return clean;
}

/**
 * The personal data that this page knows: typed text and the account's texts. Very short words stay, or reports would
 * be unreadable.
 */
export function privateValues(page: ParentNode, profile: readonly string[]): string[] {
  const fields = [...page.querySelectorAll<HTMLInputElement>('input, textarea, select')];
  const typed = fields.filter(({ type }) => !NOT_TYPED.test(type)).map(({ value }) => value);
  const whole = [...typed, ...profile].map((text) => text.trim());
  const parts = whole.flatMap((text) => text.split(/\s+/));
  const texts = new Set([...whole, ...parts].filter((text) => text.length >= SHORTEST));
  // The longest first, so that a full name is replaced before its parts.
  return [...texts].sort((a, b) => b.length - a.length);
}

const NOT_TYPED = /^(checkbox|radio|button|submit|reset|hidden|range|select-one|select-multiple)$/;
const SHORTEST = 3;
