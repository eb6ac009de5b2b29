import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeProblem, FileError } from '#server/csv/problems.ts';
import { pictures } from '#server/database/schema/timetable.ts';
import { demoFeedFolder } from '#server/demo/demo-timetable.ts';
import {
  digestFiles,
  type FeedFiles,
  readFeedFiles,
  unzipFeed,
  zipFeed,
} from '#server/sailings/feed/feed-files.ts';
import { loadCatalogue } from '#server/sailings/queries.ts';
import { planFeed } from '#tests/factories/planned-feed.ts';
import { buildFeed, importFeed, MONDAY } from '#tests/factories/timetable.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

const webp = readFileSync(join(demoFeedFolder, 'pictures/tidewater.webp'));
const jpeg = readFileSync(join(demoFeedFolder, 'pictures/port-madrona.jpg'));

/** A feed whose only boat has a picture, with files beside it. */
function feedWith(picture: string, files: Record<string, Uint8Array> = {}): FeedFiles {
  const vessels = `code,name,passengers,picture,picture_alt,picture_alt@de\nteal,Teal,12,${picture},A boat.,Ein Boot.\n`;
  return new Map([...buildFeed({ 'vessels.csv': vessels }), ...Object.entries(files)]);
}

function plan(files: FeedFiles) {
  return planFeed(files, { now: new Date(MONDAY), days: 2 });
}

function problemsOf(files: FeedFiles): string[] {
  try {
    plan(files);
  } catch (error) {
    if (error instanceof FileError) return error.problems.map(describeProblem);
    throw error;
  }
  return [];
}

describe('the pictures of a feed', () => {
  it('are named after their content, with their size', () => {
    const { vessels, pictures: planned } = plan(feedWith('teal.webp', { 'teal.webp': webp }));
    expect(vessels[0]).toMatchObject({
      picture: { file: expect.stringMatching(/^[\w-]{22}\.webp$/), width: 960, height: 540 },
      pictureAlt: 'A boat.',
      translations: { 'pictureAlt@de': 'Ein Boot.' },
    });
    expect(planned).toEqual([{ file: vessels[0]?.picture?.file, content: webp }]);
  });

  it.each<[string, string, Record<string, Uint8Array>, string]>([
    [
      'a missing file',
      'teal.webp',
      {},
      'There is no file teal.webp beside this one or in its folder pictures.',
    ],
    [
      'a path that leads outside',
      '../teal.webp',
      { 'teal.webp': webp },
      '"../teal.webp" is not the name of a picture. Name a file without its folder, ending in .avif, .webp or .jpg.',
    ],
    [
      'another kind of file',
      'stops.txt',
      {},
      '"stops.txt" is not the name of a picture. Name a file without its folder, ending in .avif, .webp or .jpg.',
    ],
    [
      'another type than its name says',
      'teal.avif',
      { 'teal.avif': webp },
      'The content of teal.avif is not a picture of the type that its name says.',
    ],
    [
      'a file that is no picture',
      'teal.jpg',
      { 'teal.jpg': Buffer.from('<script>') },
      'The content of teal.jpg is not a picture of the type that its name says.',
    ],
    [
      'a file that is too large',
      'teal.jpg',
      { 'teal.jpg': Buffer.concat([jpeg, Buffer.alloc(300 * 1024)]) },
      'teal.jpg has 330 KB; 300 KB are allowed.',
    ],
  ])('are refused by row and name: %s', (_, name, files, message) => {
    expect(problemsOf(feedWith(name, files))).toEqual([`vessels.csv:2 picture: ${message}`]);
  });

  it('are reported if no row names them, and not published', () => {
    const { pictures: planned, skipped } = plan(feedWith('', { 'old.jpg': jpeg }));
    expect(planned).toEqual([]);
    expect(skipped).toContain('not used: pictures that no row names (1): old.jpg');
  });

  it('change the digest of the files, and are read from folders and archives', async () => {
    const files = feedWith('teal.JPEG', { 'teal.JPEG': jpeg });
    const other = feedWith('teal.JPEG', { 'teal.JPEG': Buffer.concat([jpeg, Buffer.alloc(1)]) });
    expect(digestFiles(other)).not.toBe(digestFiles(files));
    expect(digestFiles(unzipFeed(zipFeed(files)))).toBe(digestFiles(files));
    const folder = mkdtempSync(join(tmpdir(), 'feed-'));
    try {
      for (const [name, content] of files) writeFileSync(join(folder, name), content);
      expect(digestFiles(await readFeedFiles(folder))).toBe(digestFiles(files));
      mkdirSync(join(folder, 'pictures'));
      writeFileSync(join(folder, 'pictures', 'teal.JPEG'), jpeg);
      await expect(readFeedFiles(folder)).rejects.toThrow(FileError);
      rmSync(join(folder, 'teal.JPEG'));
      expect(digestFiles(await readFeedFiles(folder))).toBe(digestFiles(files));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('an import', () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await openTestServer({ now: MONDAY });
  });
  afterEach(() => server.close());
  const readStored = () => server.context.db.select().from(pictures);

  it('stores the pictures of boats and ports, and removes those that are no longer named', async () => {
    const { db } = server.context;
    const ports = Buffer.from('stop_id,picture\nnorth,north.jpg\n');
    const files = { 'ports.csv': ports, 'teal.webp': webp, 'north.jpg': jpeg };
    await importFeed(db, feedWith('teal.webp', files));
    const catalogue = await loadCatalogue(db);
    const named = [...catalogue.vessels, ...catalogue.ports].flatMap(({ picture }) => picture?.file ?? []);
    expect((await readStored()).map(({ file }) => file).toSorted()).toEqual(named.toSorted());
    expect(named).toHaveLength(2);

    await importFeed(db, feedWith('teal.webp', { 'teal.webp': webp }));
    expect(await readStored()).toEqual([{ file: catalogue.vessels[0]?.picture?.file, content: webp }]);

    await importFeed(db, buildFeed());
    expect(await readStored()).toEqual([]);
    expect((await loadCatalogue(db)).ports.map(({ picture }) => picture)).toEqual([null, null]);
  });
});
