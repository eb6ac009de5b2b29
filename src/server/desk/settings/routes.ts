import { PREVIEWED_PAGES } from '#contract/desk/settings/preview.ts';
import type { StaffSettings, staffSettingsCalls } from '#contract/desk/settings/schemas.ts';
import { translateSettings } from '#contract/settings/translate-settings.ts';
import { localize } from '#messages/languages.ts';
import { readAuditPage } from '#server/audit/read-audit.ts';
import type { Context } from '#server/context.ts';
import { textsIn } from '#server/core/texts.ts';
import type { Database } from '#server/database/database.ts';
import { getOperator } from '#server/database/operator.ts';
import { notFound } from '#server/http/api-error.ts';
import { readClient } from '#server/http/client.ts';
import type { Handlers } from '#server/http/handle-calls.ts';
import { requestLanguage } from '#server/http/request-language.ts';
import { answer } from '#server/http/respond.ts';
import type { Pages } from '#server/pages/pages.ts';
import { getSettingsVersion } from '#server/settings/replace-settings.ts';
import { deleteSettingsDraft, readSettingsDraft } from '#server/settings/settings-drafts.ts';
import { listSettingsVersions, readSettingsVersion } from '#server/settings/settings-versions.ts';
import { loadSettings } from '#server/settings/web-settings.ts';
import { describeStaffActor } from '#server/staff/actor.ts';
import { withStaffStepUp } from '#server/staff/step-up.ts';
import { listChangesTo, previewChanges, publishChanges } from './change-settings.ts';
import { describeSettings } from './describe-settings.ts';
import { composeSampleMail, frameStillPage } from './show-preview.ts';

/** Handlers for the operator's settings as a form. `pages`: renders public pages; without it they cannot be previewed. */
export function createStaffSettingsHandlers(
  context: Context,
  pages?: Pick<Pages, 'composePreview' | 'refresh'>,
): Handlers<typeof staffSettingsCalls> {
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

    previewSettings: ({ body: { changes }, session: { staffId } }) =>
      previewChanges(context, { changes, staffId }),

    showSettingsPreview: async ({ params, query: { language }, session: { staffId } }, c) => {
      const page = PREVIEWED_PAGES.find((each) => each === params.page);
      const draft = await readSettingsDraft(db, staffId);
      if (page === undefined || draft === null) throw notFound();
      const shown = translateSettings(draft, localize(language, draft.language));
      const html =
        page === 'mail' ? await composeSampleMail(context, shown) : await pages?.composePreview(page, shown);
      if (html == null) throw notFound();
      const framed = frameStillPage(html, context.config);
      return answer(c, framed.html, 200, framed.headers);
    },

    publishSettings: withStaffStepUp(context, async ({ body, session }, c) => {
      await publishChanges(context, { ...body, actor: describeStaffActor(session, readClient(c)) });
      await deleteSettingsDraft(db, session.staffId);
      pages?.refresh();
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
