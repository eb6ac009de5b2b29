import { t } from '#web/language/texts.ts';
import { useStore } from '#web/platform/create-store.ts';
import { Switch } from '#web/ui/form/switch.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { setSlashOpens, slashOpens } from './shortcut.ts';

/** Turns the key of one character off, which may be typed by mistake. */
export function ShortcutCard() {
  const isOn = useStore(slashOpens);
  return (
    <Card title={t('Keyboard')}>
      <Switch
        label={t('Press / to go to an order or a page')}
        description={t('Ctrl+K does the same. On this device.')}
        checked={isOn}
        onChange={({ target }) => setSlashOpens(target.checked)}
      />
    </Card>
  );
}
