import { useQuery } from '@tanstack/react-query';
import { listOrderMessages } from '#contract/orders/push/endpoints.ts';
import { EmailAddress } from '#web/features/site/email-address.tsx';
import { LoadProblem } from '#web/features/site/load-problem.tsx';
import { formatForReader } from '#web/features/site/reader-time.ts';
import { rich } from '#web/language/rich.ts';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { DataOf } from '#web/platform/api/request-types.ts';
import { RowList } from '#web/ui/data/row-list.tsx';
import { Spinner } from '#web/ui/feedback/spinner.tsx';

type OrderMessage = DataOf<typeof listOrderMessages>[number];

export function MessageList({ orderId }: { orderId: string }) {
  const query = useQuery({
    queryKey: ['order-messages', orderId],
    queryFn: ({ signal }) => request(listOrderMessages, { params: { id: orderId }, signal }),
  });
  if (query.isError && !query.data)
    return <LoadProblem title={t('The messages could not be loaded')} query={query} />;
  if (!query.data) return <Spinner label={t('Loading the messages…')} />;
  return <MessageRows messages={query.data} />;
}

export function MessageRows({ messages }: { messages: readonly OrderMessage[] }) {
  if (messages.length === 0) return <p className="muted">{t('No messages are stored about this order.')}</p>;
  return (
    <RowList
      label={t('Messages about this order')}
      rows={messages.map((message, index) => ({
        id: `${message.at} ${index}`,
        title: message.title,
        details: (
          <>
            {describeChannel(message)}
            <br />
            {describeTime(message)}
          </>
        ),
      }))}
    />
  );
}

/** "Email to ada@example.com" */
export function describeChannel({ channel, to }: Pick<OrderMessage, 'channel' | 'to'>) {
  if (channel === 'push') return t('Notification on {device}', { device: to });
  return channel === 'mail'
    ? rich('Email to <address></address>', { address: () => <EmailAddress>{to}</EmailAddress> })
    : rich('Text message to <number></number>', { number: () => <bdi dir="ltr">{to}</bdi> });
}

function describeTime({ status, at }: OrderMessage): string {
  const time = formatForReader('dateAndClock', at);
  if (status === 'waiting') return t('Not sent yet, since {time}', { time });
  return status === 'failed' ? t('Could not be sent, {time}', { time }) : time;
}
