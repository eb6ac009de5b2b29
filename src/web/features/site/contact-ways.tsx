import { useSettings } from '#web/platform/settings/settings.ts';

/** Whether the operator has said how to be reached. */
export function useCanReach(): boolean {
  const { contact } = useSettings();
  return contact.phone !== null || contact.email !== null;
}

/** "Call +1 … or write to help@…" as links; nothing if neither is known. */
export function ContactWays({ isSentence = false }: { isSentence?: boolean }) {
  const { phone, email } = useSettings().contact;
  const [call, write] = isSentence ? ['Call', 'Write'] : ['call', 'write'];
  return (
    <>
      {phone !== null && (
        <>
          {call} <PhoneLink phone={phone} />
        </>
      )}
      {phone !== null && email !== null && ' or '}
      {email !== null && (
        <>
          {phone === null ? write : 'write'} to <a href={`mailto:${email}`}>{email}</a>
        </>
      )}
    </>
  );
}

/** "Questions? Call +1 …"; nothing if the operator has not said how to be reached. */
export function Questions() {
  return (
    useCanReach() && (
      <>
        Questions? <ContactWays isSentence />.
      </>
    )
  );
}
export function PhoneLink({ phone }: { phone: string }) {
  return <a href={`tel:${phone.replace(/[^\d+]/g, '')}`}>{phone}</a>;
}
