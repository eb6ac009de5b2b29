import type { StaffSettings, staffSettingsCalls } from '#contract/desk/settings/schemas.ts';
import { readAuditPage } from '#server/audit/read-audit.ts';
import type { Context } from '#server/context.ts';
import { textsIn } from '#server/core/texts.ts';
import type { Database } from '#server/database/database.ts';
import { getOperator } from '#server/database/operator.ts';
import { notFound } from '#server/http/api-error.ts';
import { readClient } from '#server/http/client.ts';
import type { Handlers } from '#server/http/handle-calls.ts';
import { requestLanguage } from '#server/http/request-language.ts';
import { getSettingsVersion } from '#server/settings/replace-settings.ts';
import { listSettingsVersions, readSettingsVersion } from '#server/settings/settings-versions.ts';
import { loadSettings } from '#server/settings/web-settings.ts';
import { describeStaffActor } from '#server/staff/actor.ts';
import { withStaffStepUp } from '#server/staff/step-up.ts';
import { listChangesTo, previewChanges, publishChanges } from './change-settings.ts';
import { describeSettings } from './describe-settings.ts';

/** Handlers for the operator's settings as a form. */
export function createStaffSettingsHandlers(context: Context): Handlers<typeof staffSettingsCalls> {
  const { db } = context;
  const read = async (language: string): Promise<StaffSettings> => {
    const loaded = await loadSettings(db);
    return {
      version: getSettingsVersion(loaded.stored),
      published: await findLastPublication(db),
      currency: (await getOperator(db)).currency,
      settings: describeSettings(loaded, textsIn(language)),
    };
  };
  return {
    getStaffSettings: (_, c) => read(requestLanguage(c)),

    previewSettings: ({ body }) => previewChanges(context, body.changes),

    publishSettings: withStaffStepUp(context, async ({ body, session }, c) => {
      await publishChanges(context, { ...body, actor: describeStaffActor(session, readClient(c)) });
      return read(requestLanguage(c));
    }),

    listSettingsVersions: () => listSettingsVersions(db),

    getSettingsVersion: async ({ params: { id } }) => {
      const version = await readSettingsVersion(db, id);
      if (version === undefined) throw notFound();
      return listChangesTo(version, await loadSettings(db));
    },
  };
}

async function findLastPublication(db: Database): Promise<StaffSettings['published']> {
  const { entries } = await readAuditPage(db, {
    ...{ page: 1, pageSize: 1, offset: 0 },
    filters: [{ field: 'action', op: '==', values: ['settings_published'] }],
  });
  const [last] = entries;
  if (last === undefined) return null;
  const { kind, id, name } = last.actor;
  return { at: last.at, by: kind === 'staff' ? name : id };
}
