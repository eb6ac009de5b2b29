import { useEffect, useRef } from 'react';
import { Notice } from '#web/ui/feedback/notice.tsx';

/** Takes the focus whenever the text changes. */
export function ProblemBox({ title, text }: { title: string; text: string | null }) {
  const box = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (text !== null) box.current?.focus();
  }, [text]);

  if (text === null) return null;
  return (
    <div ref={box} tabIndex={-1}>
      <Notice type="alert" role="alert" title={title}>
        {text}
      </Notice>
    </div>
  );
}
