import type { TripCard } from '#web/platform/api/types.ts';
import { AddPlasticCardDialog } from './dialogs/add-plastic-card-dialog.tsx';
import { LowBalanceDialog } from './dialogs/low-balance-dialog.tsx';
import { RenameDialog } from './dialogs/rename-dialog.tsx';
import { ReportLostDialog } from './dialogs/report-lost-dialog.tsx';
import { RequestCardDialog } from './dialogs/request-card-dialog.tsx';
import { ShareDialog } from './dialogs/share-dialog.tsx';
import { StatementDialog } from './dialogs/statement-dialog.tsx';
import { TransferDialog } from './dialogs/transfer-dialog.tsx';

export type CardDialogKind = 'rename' | 'low-balance' | 'transfer' | 'share' | 'statement' | 'lost';
export type OpenDialog = { kind: 'add-plastic' | 'request' } | { kind: CardDialogKind; cardId: string };

type CardDialogsProps = {
  dialog: OpenDialog;
  cards: readonly TripCard[];
  onClose: () => void;
  onNewCard: (id: string) => void;
};

export function CardDialogs({ dialog, cards, onClose, onNewCard }: CardDialogsProps) {
  function finish({ id }: TripCard) {
    onClose();
    onNewCard(id);
  }

  if (dialog.kind === 'add-plastic') return <AddPlasticCardDialog onClose={onClose} onAdded={finish} />;
  if (!('cardId' in dialog)) return <RequestCardDialog onClose={onClose} onAdded={finish} />;
  const card = cards.find(({ id }) => id === dialog.cardId);
  if (card === undefined) return null;
  switch (dialog.kind) {
    case 'rename':
      return <RenameDialog card={card} onClose={onClose} />;
    case 'low-balance':
      return <LowBalanceDialog card={card} onClose={onClose} />;
    case 'transfer':
      return <TransferDialog card={card} cards={cards} onClose={onClose} />;
    case 'share':
      return <ShareDialog card={card} onClose={onClose} />;
    case 'statement':
      return <StatementDialog card={card} onClose={onClose} />;
    case 'lost':
      return <ReportLostDialog card={card} onClose={onClose} onReplaced={finish} />;
  }
}
