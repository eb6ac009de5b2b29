import type { PartialWebSettings } from '#contract/settings/schemas.ts';
import type { Row } from '#server/csv/table.ts';
import { findSettingsProblems, readSettings } from '#server/settings/merge-settings.ts';
import { type FeedInput, readFeedTable } from './feed-tables.ts';
import { isFerry } from './gtfs.ts';

const FILE = 'settings.json';

type FeedSettings = { value: PartialWebSettings; remarks: string[] };

/**
 * The feed's settings: name, phone, website and language of the agency that runs its ferries (GTFS `agency.txt`),
 * overridden by the fields of `settings.json` if the operator added one to the feed. An unusable field of agency.txt is
 * skipped with a notice; one of settings.json is a problem.
 */
export function readFeedSettings(source: FeedInput): FeedSettings {
  const agency = readAgency(source);
  const own = readSettingsFile(source);
  const value: PartialWebSettings = { ...agency.value, ...own };
  for (const section of ['brand', 'contact'] as const) {
    value[section] = { ...agency.value[section], ...own[section] } as never;
  }
  return { value, remarks: agency.remarks };
}

function readAgency(source: FeedInput): FeedSettings {
  const agencies = ferryAgencies(source);
  const [agency, ...others] = agencies;
  if (agency && others.length === 0) return fromRow(agency, 'agency', agency.text('agency_phone'));
  const [publisher] = readFeedTable(source, 'feed_info.txt');
  const remark = `agency.txt has ${agencies.length} operators of ferries: set name and contact with npm run settings`;
  const fromFeed = publisher ? fromRow(publisher, 'feed', '') : { value: {}, remarks: [] };
  return { value: fromFeed.value, remarks: [...fromFeed.remarks, remark] };
}

/** The agencies that run at least one ferry. A feed with one agency need not name it in its routes. */
function ferryAgencies(source: FeedInput): Row[] {
  const agencies = readFeedTable(source, 'agency.txt');
  if (agencies.length < 2) return agencies;
  const ferries = readFeedTable(source, 'routes.txt').filter((row) =>
    isFerry(Number(row.text('route_type'))),
  );
  const ids = new Set(ferries.map((row) => row.text('agency_id')));
  return agencies.filter((row) => ids.has(row.text('agency_id')));
}

function fromRow(row: Row, kind: 'agency' | 'feed', phone: string): FeedSettings {
  const [name, url, language] =
    kind === 'agency'
      ? (['agency_name', 'agency_url', 'agency_lang'] as const)
      : (['feed_publisher_name', 'feed_publisher_url', 'feed_lang'] as const);
  const given: [string, (text: string) => PartialWebSettings, string][] = [
    [name, (text) => ({ brand: { name: text } }), row.text(name)],
    [url, (text) => ({ contact: { url: text } }), row.text(url)],
    ['agency_phone', (text) => ({ contact: { phone: text } }), phone],
    [language, (text) => ({ language: text }), row.text(language)],
  ];
  const settings: FeedSettings = { value: {}, remarks: [] };
  for (const [column, toSettings, text] of given) {
    if (text === '') continue;
    const part = toSettings(text);
    const [problem] = findSettingsProblems(part);
    if (problem) settings.remarks.push(`${column} is left out. ${problem.message}`);
    else settings.value = { ...settings.value, ...part, ...mergeContact(settings.value, part) };
  }
  return settings;
}

function mergeContact(value: PartialWebSettings, part: PartialWebSettings): PartialWebSettings {
  return part.contact ? { contact: { ...value.contact, ...part.contact } } : {};
}

function readSettingsFile({ files, problems }: FeedInput): PartialWebSettings {
  const contents = files.get(FILE);
  if (!contents) return {};
  return readSettings({ file: FILE, contents, problems }) ?? {};
}
