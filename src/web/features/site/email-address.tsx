import { Fragment } from 'react';

/** Too long for one line, an address breaks before the @ or a dot and not in a word. */
export function EmailAddress({ children }: { children: string }) {
  return children.split(/(?=[@.])/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one address never move
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}

export function StrongAddress({ children }: { children: string }) {
  return (
    <strong>
      <EmailAddress>{children}</EmailAddress>
    </strong>
  );
}
