import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { previewSettings } from '#contract/desk/settings/endpoints.ts';
import { nameSettingsSection } from '#sentences/settings/names.ts';
import { formatWhen } from '#web/features/site/timestamp.tsx';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { StaffSetting, StaffSettings } from '#web/platform/api/types.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { loadSettings } from '#web/platform/settings/load-settings.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Button, ButtonLink } from '#web/ui/form/button.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { Disclosure } from '#web/ui/layout/disclosure.tsx';
import { Cluster, Stack } from '#web/ui/layout/stack.tsx';
import { StickyBar } from '#web/ui/layout/sticky-bar.tsx';
import { auditPath } from '../audit/audit-search.ts';
import { usePermission } from '../session/staff-session.ts';
import { useUnsavedPage } from '../unsaved-input.tsx';
import { DifferenceTable } from './difference-table.tsx';
import { EarlierVersions, versionsQuery } from './earlier-versions.tsx';
import { PreviewDialog, type SettingsPreview } from './preview-dialog.tsx';
import { SettingField } from './setting-field.tsx';
import {
  describeSource,
  fieldOf,
  listChanges,
  readTexts,
  showValue,
  type TypedSettings,
  toText,
} from './setting-texts.ts';
import { settingsQuery } from './settings-query.ts';

type SettingsFormProps = {
  initial: StaffSettings;
  /** When they were loaded, in milliseconds. */
  now: number;
};

/** All settings by section. What is typed stays until it is published, also if others publish meanwhile. */
export function SettingsForm({ initial, now }: SettingsFormProps) {
  const client = useQueryClient();
  /** The settings that the form's changes are made to. */
  const [base, setBase] = useState(initial);
  /** As they were before others published. */
  const [outdated, setOutdated] = useState<StaffSettings | null>(null);
  const [preview, setPreview] = useState<SettingsPreview | null>(null);
  const form = useForm<TypedSettings, SettingsPreview>({
    initial: () => readTexts(initial),
    check: (typed) => (listChanges(base, typed).length === 0 ? { form: t('Nothing is changed yet.') } : {}),
    send: async (typed) => {
      const changes = listChanges(base, typed);
      return {
        changes,
        differences: await request(previewSettings, { body: { changes } }),
        isEarlier: false,
      };
    },
    onDone: setPreview,
  });
  const question = useUnsavedPage(listChanges(base, form.values).length > 0, 'settings being changed');

  function showPublished(published: StaffSettings) {
    client.setQueryData(settingsQuery.queryKey, published);
    void client.invalidateQueries({ queryKey: versionsQuery.queryKey });
    setBase(published);
    setOutdated(null);
    setPreview(null);
    form.change(preview?.isEarlier ? readUntouched(published) : readTexts(published));
    notify(t('The settings are published.'), { type: 'success' });
    void loadSettings();
  }

  /** The texts of new settings, except where something is typed. */
  function readUntouched(latest: StaffSettings): TypedSettings {
    const changed = new Set(listChanges(base, form.values).map(({ path }) => path));
    const untouched = latest.settings.filter(({ path }) => !changed.has(path));
    return readTexts({ ...latest, settings: untouched });
  }

  /** Takes over what others have published, except where something is typed. */
  async function takeOver() {
    const latest = await client.fetchQuery({ ...settingsQuery, staleTime: 0 }).catch(() => null);
    if (latest === null) return;
    form.change(readUntouched(latest));
    setOutdated(base);
    setBase(latest);
    setPreview(null);
  }

  function renderField(setting: StaffSetting, isSourceSaid: boolean) {
    const name = fieldOf(setting);
    const isTyped = form.values[name] !== toText(setting, base.currency);
    const isOutdated = outdated !== null && isTyped && isChangedSince(outdated, setting);
    return (
      <SettingField
        key={setting.path}
        setting={setting}
        currency={base.currency}
        {...form.field(name)}
        value={form.values[name] ?? ''}
        published={isOutdated ? showValue(setting, base.currency) : undefined}
        isSourceSaid={isSourceSaid}
        onChange={(value) => form.change({ [name]: value })}
      />
    );
  }

  return (
    <>
      <Form form={form} problemTitle={t('Nothing is published yet')}>
        <LastPublication settings={base} now={now} />
        <EarlierVersions onPreview={setPreview} />
        {outdated !== null && <PublishedMeanwhile before={outdated} after={base} />}
        {listSections(base).map(({ title, source, settings }) => (
          <Card key={title} title={title}>
            <Stack>
              {source !== null && <p className="muted">{source}</p>}
              {settings.map(([own, ...translations]) => (
                <Stack key={own.path} gap="sm">
                  {renderField(own, source !== null)}
                  {translations.length > 0 && (
                    <Disclosure
                      summary={t('In other languages')}
                      open={translations.some((each) => form.problems[fieldOf(each)] !== undefined)}
                    >
                      <Stack>{translations.map((each) => renderField(each, false))}</Stack>
                    </Disclosure>
                  )}
                </Stack>
              ))}
            </Stack>
          </Card>
        ))}
        <StickyBar>
          <Button
            type="submit"
            size="large"
            needsConnection
            isPending={form.isPending}
            pendingText={t('Checking…')}
          >
            {t('Check and preview')}
          </Button>
        </StickyBar>
      </Form>
      {preview !== null && (
        <PreviewDialog
          preview={preview}
          base={base}
          onClose={() => setPreview(null)}
          onPublished={showPublished}
          onOutdated={takeOver}
        />
      )}
      {question}
    </>
  );
}

function LastPublication({ settings: { published }, now }: { settings: StaffSettings; now: number }) {
  const mayReadLog = usePermission('read_audit_log');
  if (published === null) return null;
  const when = formatWhen(published.at, now);
  return (
    <Cluster justify="between">
      <p>
        {published.by === null
          ? t('Last published {when}.', { when })
          : t('Last published {when} by {name}.', { when, name: published.by })}
      </p>
      {mayReadLog && (
        <ButtonLink
          variant="quiet"
          size="small"
          to={auditPath({ person: '', action: 'settings_published', day: '', page: 1 })}
        >
          {t('Earlier changes')}
        </ButtonLink>
      )}
    </Cluster>
  );
}

function PublishedMeanwhile({ before, after }: { before: StaffSettings; after: StaffSettings }) {
  const differences = after.settings.flatMap((setting) =>
    isChangedSince(before, setting)
      ? [{ path: setting.path, before: findValue(before, setting.path), after: setting.value }]
      : [],
  );
  return (
    <Notice
      type="warning"
      role="status"
      title={
        after.published?.by == null
          ? t('Someone else has published settings meanwhile')
          : t('{name} has published settings meanwhile', { name: after.published.by })
      }
    >
      <Stack>
        <p>{t('What you typed is still here. Check it again, then publish it.')}</p>
        <DifferenceTable differences={differences} of={after} />
      </Stack>
    </Notice>
  );
}

function isChangedSince(before: StaffSettings, { path, value }: StaffSetting): boolean {
  return JSON.stringify(findValue(before, path)) !== JSON.stringify(value);
}

function findValue({ settings }: StaffSettings, path: string): StaffSetting['value'] {
  return settings.find((each) => each.path === path)?.value ?? null;
}

type WithTranslations = [own: StaffSetting, ...translations: StaffSetting[]];
type Section = { title: string; settings: WithTranslations[] };

/** Settings without a section of their own are shown together, as the last. */
function listSections({ settings }: StaffSettings): (Section & { source: string | null })[] {
  const sections: Section[] = [];
  const rest = nameSettingsSection(t, '');
  for (const setting of settings) {
    const title = nameSettingsSection(t, setting.section);
    const section = sections.find((each) => each.title === title);
    if (section === undefined) sections.push({ title, settings: [[setting]] });
    else if (setting.language === null) section.settings.push([setting]);
    else section.settings.at(-1)?.push(setting);
  }
  return sections
    .toSorted((a, b) => Number(a.title === rest) - Number(b.title === rest))
    .map((section) => ({ ...section, source: describeCommonSource(section) }));
}

/** Where the values of a section are from; null if they are from different sources. */
function describeCommonSource({ settings }: Section): string | null {
  const [first = null, ...others] = new Set(settings.map(([own]) => describeSource(own, settings.length)));
  return others.length === 0 ? first : null;
}
