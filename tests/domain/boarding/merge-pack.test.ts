import { expect, test } from 'vitest';
import { PACK_TAGS_LENGTH } from '#contract/gate/limits.ts';
import { listTags, mergePack } from '#domain/boarding/merge-pack.ts';
import { buildGatePack, buildGateParty } from '#tests/factories/gate.ts';

const tag = (sailing_id: string, name: string) => ({ sailing_id, tag: name });
const [one, two] = [buildGateParty('slg_1'), buildGateParty('slg_2')];
const before = buildGatePack({ parties: [one, two], tags: [tag('slg_1', 'a'), tag('slg_2', 'b')] });

test('parties that were not sent again are those that the device has', () => {
  const changed = { ...one, contact_name: 'Grace Hopper' };
  const fresh = buildGatePack({ parties: [changed], tags: [tag('slg_1', 'c'), tag('slg_2', 'b')] });
  expect(mergePack(before, fresh).parties).toEqual([two, changed]);
});

test('nothing has changed if no parties were sent and all boats are still listed', () => {
  const fresh = buildGatePack({ as_of: '2026-06-02T15:31:00.000Z', tags: before.tags });
  expect(mergePack(before, fresh)).toEqual({ ...before, as_of: fresh.as_of });
  expect(mergePack(before, fresh).parties).toBe(before.parties);
});

test('the parties of a boat that is not listed any more are dropped', () => {
  expect(mergePack(before, buildGatePack({ tags: [tag('slg_2', 'b')] })).parties).toEqual([two]);
});

test('without a list from before, the list is what was sent', () => {
  expect(mergePack(null, before)).toBe(before);
});

test('a request names as many whole tags as it may', () => {
  expect(listTags(before)).toBe('a,b');
  const tags = Array.from({ length: 600 }, (_, index) =>
    tag(`slg_${index}`, `tag-${index}-x`.padEnd(11, 'x')),
  );
  const text = listTags(buildGatePack({ tags }));
  expect(text.length).toBeLessThanOrEqual(PACK_TAGS_LENGTH);
  expect(text.split(',')).toEqual(tags.slice(0, text.split(',').length).map((each) => each.tag));
});
