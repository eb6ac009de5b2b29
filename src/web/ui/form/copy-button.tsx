import { useEffect, useState } from 'react';
import { type Message, message } from '#messages/translate.ts';
import { t } from '#web/language/texts.ts';
import { COPIED_SHOWN_MS } from '../feedback/delays.ts';
import { Button, type ButtonSize } from './button.tsx';

type CopyButtonProps = {
  text: string;
  label: string;
  size?: ButtonSize | undefined;
  onCopied?: (() => void) | undefined;
};

type Outcome = 'copied' | 'failed';

export function CopyButton({ text, label, size, onCopied }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  useEffect(() => {
    if (outcome === null) return;
    const timer = setTimeout(() => setOutcome(null), COPIED_SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);

  async function copy() {
    const written = await write(text);
    setOutcome(written);
    if (written === 'copied') onCopied?.();
  }

  return (
    <>
      <Button
        variant="secondary"
        size={size}
        icon={outcome === 'copied' ? 'check' : 'copy'}
        onClick={() => void copy()}
      >
        {outcome === null ? label : t(OUTCOMES[outcome])}
      </Button>
      <output className="visually-hidden">{outcome && t(OUTCOMES[outcome])}</output>
    </>
  );
}

const OUTCOMES: Record<Outcome, Message> = {
  copied: message('Copied'),
  failed: message('Could not copy'),
};

/** The clipboard may be refused, or absent outside secure pages. */
async function write(text: string): Promise<Outcome> {
  try {
    await navigator.clipboard.writeText(text);
    return 'copied';
  } catch {
    return 'failed';
  }
}
